"""Everything about a match of Pyanitsa at one version, piles included (rules §3).

The deal (R1 to R4).
"""

import msgspec

from cardroom.rules.cards import pack
from cardroom.rules.pyanitsa.events import Dealt
from cardroom.rules.pyanitsa.options import PyanitsaOptions
from cardroom.rules.values import Card, Seat, State, StepBuilder

Pile = tuple[Card, ...]  # [next, …, last]: the first card is turned up next
Piles = tuple[Pile, ...]


class Laid(msgspec.Struct, frozen=True, gc=False):
    """A card on the table: level 0 is the circle, 1, 2, … are disputes."""

    seat: Seat
    card: Card
    level: int
    face_down: bool


class PyanitsaState(State, frozen=True, gc=False):
    """``to_lay`` are the seats still to lay at this level, in turn order; ``taker`` is set while
    a seat chooses the order to collect in. With neither the match is over.

    ``out_in`` names for each seat the trick it went out in, 0 while it is in. ``trick_no``
    counts from 1 and is the trick being played, at the end the last one played. ``mortgage``
    tells whether this level is laid with a card face down.
    """

    options: PyanitsaOptions
    draw: Piles
    won: Piles
    aside: Pile
    leader: Seat
    trick_no: int
    out_in: tuple[int, ...]
    to_lay: tuple[Seat, ...]
    table: tuple[Laid, ...] = ()
    level: int = 0
    disputing: tuple[Seat, ...] = ()
    mortgage: bool = False
    taker: Seat | None = None


def card_count(state: PyanitsaState, seat: Seat) -> int:
    """The cards a seat has, draw and won pile together (R5)."""
    return len(state.draw[seat]) + len(state.won[seat])


def deal(options: PyanitsaOptions, step: StepBuilder) -> PyanitsaState:
    """One card a seat at a time; what cannot be shared is set aside (R4)."""
    deck, seats = tuple(step.shuffle(pack(options.deck))), options.players
    each = len(deck) // seats
    aside = deck[each * seats :]
    step.emit(Dealt(cards_per_seat=each, set_aside=len(aside)))
    return PyanitsaState(
        options=options,
        draw=tuple([deck[seat : each * seats : seats] for seat in range(seats)]),
        won=((),) * seats,
        aside=aside,
        leader=0,
        trick_no=1,
        out_in=(0,) * seats,
        to_lay=tuple(range(seats)),
    )
