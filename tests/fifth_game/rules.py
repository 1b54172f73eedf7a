from collections.abc import Sequence

from msgspec.structs import replace

from games.rules.cards import CARD, RANK, TEXT, pack, texts
from games.rules.errors import IllegalMove, MalformedMove, NotYourTurn
from games.rules.redeal import redeal_decks
from games.rules.shuffles import Shuffle
from games.rules.values import Event, HistoryStep, Move, Outcome, Redealt, Seat, Setup, Step
from tests.fifth_game.events import CardLaid, Dealt, TrickTaken
from tests.fifth_game.options import HighCardOptions
from tests.fifth_game.state import HighCardState

HAND = 3


def start(
    options: HighCardOptions, _setups: Sequence[Setup], shuffle: Shuffle
) -> Step[HighCardState]:
    deck, seats = shuffle(pack(36)), options.players
    hands = tuple(tuple(deck[HAND * seat : HAND * (seat + 1)]) for seat in range(seats))
    state = HighCardState(options, hands, tuple(deck[HAND * seats :]), 0, (), (), (0,) * seats)
    return Step(state, (Dealt(tuple(texts(hand) for hand in hands)),))


def to_act(state: HighCardState) -> tuple[Seat, ...]:
    if is_over(state):
        return ()
    return ((state.leader + len(state.laid)) % len(state.hands),)


def legal_moves(state: HighCardState, seat: Seat) -> tuple[Move, ...]:
    return texts(state.hands[seat]) if seat in to_act(state) else ()


def play(state: HighCardState, seat: Seat, move: Move, _shuffle: Shuffle) -> Step[HighCardState]:
    if move not in CARD:
        raise MalformedMove("not_a_card", "A move is a card, such as 7H.")
    if seat not in to_act(state):
        raise NotYourTurn
    card = CARD[move]
    if card not in state.hands[seat]:
        raise IllegalMove("not_in_hand", "You do not hold this card.")
    hands = list(state.hands)
    hands[seat] = tuple(held for held in hands[seat] if held != card)
    laid = replace(state, hands=tuple(hands), laid=(*state.laid, card))
    events: list[Event] = [CardLaid(seat, move)]
    if len(laid.laid) == len(hands):
        laid = take_trick(laid)
        events.append(TrickTaken(laid.leader))
    scores = laid.tricks if is_over(laid) else None
    return Step(laid, tuple(events), scores, move)


def take_trick(state: HighCardState) -> HighCardState:
    best = max(range(len(state.laid)), key=lambda at: RANK[state.laid[at]])
    taker = (state.leader + best) % len(state.hands)
    tricks = tuple(count + (seat == taker) for seat, count in enumerate(state.tricks))
    return replace(state, leader=taker, laid=(), gone=state.gone + state.laid, tricks=tricks)


def is_over(state: HighCardState) -> bool:
    return not any(state.hands) and not state.laid


def outcome(state: HighCardState) -> Outcome | None:
    if not is_over(state):
        return None
    places = tuple(1 + sum(other > own for other in state.tricks) for own in state.tricks)
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    return Outcome(winners, state.tricks, "tricks", places)


def cards(state: HighCardState) -> tuple[int, ...]:
    held = tuple(card for hand in state.hands for card in hand)
    return held + state.stock + state.laid + state.gone


def redeal(
    state: HighCardState, history: Sequence[HistoryStep], seats: frozenset[Seat], shuffle: Shuffle
) -> Redealt[HighCardState]:
    (deck,) = history[0].decks
    known = {TEXT[card] for card in (*state.laid, *state.gone)}
    known |= {text for seat in seats for text in texts(state.hands[seat])}
    unknown = tuple(at for at, card in enumerate(deck) if TEXT[int(card)] not in known)
    decks, became = redeal_decks([deck], ((0, unknown),), shuffle)

    def now(held: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(int(became.get(card, card)) for card in held)

    hands = tuple(now(hand) for hand in state.hands)
    dealt = Dealt(
        tuple(texts(now(tuple(CARD[t] for t in hand or ()))) for hand in history[0].events[0].hands)
    )
    told = ((dealt,), *(step.events for step in history[1:]))
    return Redealt(
        replace(state, hands=hands, stock=now(state.stock)), decks, ((0, unknown),), told
    )
