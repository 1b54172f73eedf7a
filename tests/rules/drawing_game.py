"""Fitting Card: a game whose draws are forced by hidden cards.

A card is laid that fits the top one by suit or rank; who has none must draw, and only then. So a
draw says what a hand did not hold, and a re-deal may give that hand a card which would have fitted.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from cardroom.rules.cards import CARD, RANK, pack, texts
from cardroom.rules.game import Game
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.values import (
    Card,
    Event,
    IllegalMove,
    MalformedMove,
    Move,
    NotYourTurn,
    Options,
    Outcome,
    Seat,
    Setup,
    State,
    Step,
    StepBuilder,
    View,
    next_seat,
    places,
    set_item,
)

HAND: Final = 7
DRAW: Final = "draw"


class FittingOptions(Options, frozen=True, kw_only=True):
    pass


class FittingState(State, frozen=True):
    options: FittingOptions
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    turn: Seat = 0


class Dealt(Event, frozen=True):
    hands: tuple[tuple[str, ...] | None, ...]
    top: str

    def seen_by(self, seat: Seat | None) -> "Dealt":
        hands = tuple([hand if at == seat else None for at, hand in enumerate(self.hands)])
        return Dealt(hands, self.top)


class Laid(Event, frozen=True):
    seat: Seat
    card: str


class Drawn(Event, frozen=True):
    seat: Seat
    card: str | None

    def seen_by(self, seat: Seat | None) -> "Drawn":
        return self if seat == self.seat else Drawn(self.seat, None)


class FittingView(View, frozen=True, kw_only=True):
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    stock_size: int
    pile: tuple[str, ...]


def fits(card: Card, top: Card) -> bool:
    return card // 13 == top // 13 or RANK[card] == RANK[top]


def start(
    options: FittingOptions, _setups: Sequence[Setup], shuffle: Shuffle
) -> Step[FittingState]:
    step = StepBuilder(shuffle)
    deck = tuple(step.shuffle(pack(36)))
    hands, top = (deck[:HAND], deck[HAND : 2 * HAND]), deck[2 * HAND]
    step.emit(Dealt(tuple(map(texts, hands)), texts((top,))[0]))
    return step.done(FittingState(options, hands, deck[2 * HAND + 1 :], (top,)))


def to_act(state: FittingState) -> tuple[Seat, ...]:
    return (state.turn,) if state.stock and all(state.hands) else ()


def legal_moves(state: FittingState, seat: Seat) -> tuple[Move, ...]:
    if seat not in to_act(state):
        return ()
    return texts([c for c in state.hands[seat] if fits(c, state.pile[-1])]) or (DRAW,)


def play(state: FittingState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[FittingState]:
    if move != DRAW and move not in CARD:
        raise MalformedMove("not_a_card", "A move is a card, such as 7H, or draw.")
    if seat not in to_act(state):
        raise NotYourTurn
    if move not in legal_moves(state, seat):
        raise IllegalMove("does_not_fit", "That is not to be done with these cards.")
    return play_past(state, seat, move, shuffle)


def play_past(state: FittingState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[FittingState]:
    """A draw needs no longer be forced by the cards that were dealt again."""
    if seat not in to_act(state):
        raise NotYourTurn
    step, hand = StepBuilder(shuffle), state.hands[seat]
    after = replace(state, turn=next_seat(seat, 2))
    if move == DRAW:
        step.emit(Drawn(seat, texts(state.stock[:1])[0]))
        after = replace(after, stock=state.stock[1:])
        hand = (*hand, state.stock[0])
    else:
        card = CARD.get(move)
        if card not in hand or not fits(card, state.pile[-1]):
            raise IllegalMove("does_not_fit", "That is not to be done with these cards.")
        step.emit(Laid(seat, move))
        after = replace(after, pile=(*state.pile, card))
        hand = tuple([one for one in hand if one != card])
    after = replace(after, hands=set_item(state.hands, seat, hand))
    return step.done(after, move, None if to_act(after) else scores(after))


def scores(state: FittingState) -> tuple[int, ...]:
    return tuple([-len(hand) for hand in state.hands])


def outcome(state: FittingState) -> Outcome | None:
    if to_act(state):
        return None
    place = places([len(hand) for hand in state.hands])
    winners = tuple([seat for seat, at in enumerate(place) if at == 1])
    return Outcome(winners, scores(state), "cards", place)


def view(state: FittingState, seat: Seat | None) -> FittingView:
    return FittingView(
        seat=seat,
        to_act=to_act(state),
        legal_moves=() if seat is None else legal_moves(state, seat),
        hand=() if seat is None else texts(state.hands[seat]),
        hand_sizes=tuple(map(len, state.hands)),
        stock_size=len(state.stock),
        pile=texts(state.pile),
    )


GAME: Final = Game(
    slug="fitting-card",
    name="Fitting Card",
    summary="Lay what fits, or draw.",
    options=FittingOptions,
    state=FittingState,
    events=Dealt | Laid | Drawn,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    play_past=play_past,
    outcome=outcome,
    view=view,
)
