"""The rules as functions of values."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from cardroom.rules.cards import CARD, RANK, pack, texts
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.text import say
from cardroom.rules.values import (
    Card,
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
from games.newgame.template.events import CardLaid, Dealt, RoundScored, TrickTaken
from games.newgame.template.options import NewGameOptions
from games.newgame.template.state import NewGameState

PACK: Final = pack(36)  # R2


def start(
    options: NewGameOptions, _setups: Sequence[Setup], shuffle: Shuffle
) -> Step[NewGameState]:
    step = StepBuilder(shuffle)
    return step.done(_deal(options, 1, (0,) * options.players, step))


def _deal(
    options: NewGameOptions, number: int, totals: tuple[int, ...], step: StepBuilder
) -> NewGameState:
    """R2, R3: as many cards as a hand has to each seat; another seat leads each round."""
    deck, players, size = tuple(step.shuffle(PACK)), options.players, options.hand_size
    hands = tuple([deck[size * seat :][:size] for seat in range(players)])
    step.emit(Dealt(number, tuple([texts(hand) for hand in hands])))
    return NewGameState(
        options=options,
        hands=hands,
        stock=deck[size * players :],
        leader=(number - 1) % players,
        tricks=(0,) * players,
        totals=totals,
        round=number,
    )


def to_act(state: NewGameState) -> tuple[Seat, ...]:
    if not any(state.hands):
        return ()
    return (next_seat(state.leader, len(state.hands), len(state.laid)),)


def legal_moves(state: NewGameState, seat: Seat) -> tuple[Move, ...]:
    """R4: any card of the hand."""
    return texts(state.hands[seat]) if seat in to_act(state) else ()


def play(state: NewGameState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[NewGameState]:
    card = _card(state, seat, move)
    step = StepBuilder(shuffle)
    step.emit(CardLaid(seat, move))
    hand = tuple([held for held in state.hands[seat] if held != card])
    after = replace(state, hands=set_item(state.hands, seat, hand), laid=(*state.laid, card))
    if len(after.laid) == len(after.hands):
        after = _take_trick(after, step)
    if any(after.hands):
        return step.done(after, move)
    return step.done(_end_round(after, step), move, after.tricks)


def _card(state: NewGameState, seat: Seat, move: Move) -> Card:
    if move not in CARD:
        raise MalformedMove("not_a_card", say("A move is a card, such as 7H."))
    if seat not in to_act(state):
        raise NotYourTurn
    if CARD[move] not in state.hands[seat]:
        raise IllegalMove("not_in_hand", say("You do not hold this card."))
    return CARD[move]


def best_of(laid: Sequence[Card]) -> int:
    """R5: the place of the card that takes the trick, the first of equal ranks."""
    return max(range(len(laid)), key=lambda at: RANK[laid[at]])


def _take_trick(state: NewGameState, step: StepBuilder) -> NewGameState:
    taker = next_seat(state.leader, len(state.hands), best_of(state.laid))
    step.emit(TrickTaken(taker, texts(state.laid)))
    tricks = set_item(state.tricks, taker, state.tricks[taker] + 1)
    return replace(state, leader=taker, tricks=tricks, laid=(), gone=state.gone + state.laid)


def _end_round(state: NewGameState, step: StepBuilder) -> NewGameState:
    """R6, R7: the next round is dealt in the same step, unless the match is over."""
    step.emit(RoundScored(state.round, state.tricks))
    totals = tuple([sum(pair) for pair in zip(state.totals, state.tricks, strict=True)])
    if state.round == state.options.rounds:
        return replace(state, totals=totals)
    return _deal(state.options, state.round + 1, totals, step)


def outcome(state: NewGameState) -> Outcome | None:
    """R8: the most tricks win; equal numbers share the place."""
    if to_act(state):
        return None
    place = places([-tricks for tricks in state.totals])
    winners = tuple([seat for seat, at in enumerate(place) if at == 1])
    return Outcome(winners, state.totals, "tricks", place)
