from collections.abc import Sequence

from msgspec.structs import replace

from cardroom.rules.cards import CARD, RANK, pack, texts
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.values import (
    IllegalMove,
    MalformedMove,
    Move,
    NotYourTurn,
    Outcome,
    Seat,
    Setup,
    Step,
    StepBuilder,
    next_seat,
    places,
    set_item,
)
from tests.fifth_game.events import CardLaid, Dealt, TrickTaken
from tests.fifth_game.options import HighCardOptions
from tests.fifth_game.state import HighCardState

HAND = 3


def start(
    options: HighCardOptions, _setups: Sequence[Setup], shuffle: Shuffle
) -> Step[HighCardState]:
    step, players = StepBuilder(shuffle), options.players
    deck = tuple(step.shuffle(pack(36)))
    hands = tuple([deck[HAND * seat :][:HAND] for seat in range(players)])
    step.emit(Dealt(tuple(map(texts, hands))))
    stock, tricks = deck[HAND * players :], (0,) * players
    return step.done(HighCardState(options, hands, stock, leader=0, tricks=tricks))


def to_act(state: HighCardState) -> tuple[Seat, ...]:
    if not any(state.hands):
        return ()
    return (next_seat(state.leader, len(state.hands), len(state.laid)),)


def legal_moves(state: HighCardState, seat: Seat) -> tuple[Move, ...]:
    return texts(state.hands[seat]) if seat in to_act(state) else ()


def play(state: HighCardState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[HighCardState]:
    if move not in CARD:
        raise MalformedMove("not_a_card", "A move is a card, such as 7H.")
    if seat not in to_act(state):
        raise NotYourTurn
    if CARD[move] not in state.hands[seat]:
        raise IllegalMove("not_in_hand", "You do not hold this card.")
    step = StepBuilder(shuffle)
    step.emit(CardLaid(seat, move))
    hand = tuple([card for card in state.hands[seat] if card != CARD[move]])
    after = replace(state, hands=set_item(state.hands, seat, hand), laid=(*state.laid, CARD[move]))
    if len(after.laid) == len(after.hands):
        after = take_trick(after, step)
    return step.done(after, move, None if any(after.hands) else after.tricks)


def take_trick(state: HighCardState, step: StepBuilder) -> HighCardState:
    best = max(range(len(state.laid)), key=lambda at: RANK[state.laid[at]])
    taker = next_seat(state.leader, len(state.hands), best)
    step.emit(TrickTaken(taker))
    tricks = set_item(state.tricks, taker, state.tricks[taker] + 1)
    return replace(state, leader=taker, tricks=tricks, laid=(), gone=state.gone + state.laid)


def outcome(state: HighCardState) -> Outcome | None:
    if to_act(state):
        return None
    place = places([-tricks for tricks in state.tricks])
    winners = tuple(seat for seat, at in enumerate(place) if at == 1)
    return Outcome(winners, state.tricks, "tricks", place)
