"""Events of Shithead, with what each seat may know of them (shithead §4)."""

from typing import Literal, TypeAlias

import msgspec

from cardroom.rules.shithead.predicates import BurnReason
from cardroom.rules.values import Event, Seat

Source = Literal["hand", "top", "hand_top", "hidden"]


class GameStarted(Event, frozen=True, gc=False):
    """``k`` cards of each kind a seat; ``starter`` is unknown when the lowest card decides."""

    game_no: int
    dealer: Seat
    starter: Seat | None
    k: int
    stock: int


class Dealt(Event, frozen=True, gc=False):
    """The hand is known to its seat alone."""

    seat: Seat
    top: tuple[str, ...]
    hand: tuple[str, ...] | None

    def seen_by(self, seat: Seat | None) -> "Dealt":
        return self if seat == self.seat else Dealt(seat=self.seat, top=self.top, hand=None)


class Exchanged(Event, frozen=True, gc=False):
    """``to_top`` came from the hand and lies open now; ``to_hand`` lay open before."""

    seat: Seat
    to_top: str
    to_hand: str


class Ready(Event, frozen=True, gc=False):
    seat: Seat


class Played(Event, frozen=True, gc=False):
    """``from`` (``source`` in Python) says where the cards lay; the last card is on top."""

    seat: Seat
    cards: tuple[str, ...]
    source: Source = msgspec.field(name="from")


class HiddenFailed(Event, frozen=True, gc=False):
    """A hidden card was turned up and may not be played; ``picked_up`` follows."""

    face_up = True
    seat: Seat
    slot: int
    card: str


class PickedUp(Event, frozen=True, gc=False):
    """``count`` cards went to the hand: the pile, and a hidden card that failed."""

    seat: Seat
    count: int


class Direction(Event, frozen=True, gc=False):
    """1: clockwise from now on, −1: anticlockwise."""

    value: int


class Burned(Event, frozen=True, gc=False):
    seat: Seat
    count: int
    reason: BurnReason


class Drew(Event, frozen=True, gc=False):
    """``stock`` cards are left; the card is known to its seat alone."""

    seat: Seat
    stock: int
    card: str | None

    def seen_by(self, seat: Seat | None) -> "Drew":
        return self if seat == self.seat else Drew(seat=self.seat, stock=self.stock, card=None)


class SeatOut(Event, frozen=True, gc=False):
    seat: Seat
    place: int


class Turn(Event, frozen=True, gc=False):
    seat: Seat


class Remaining(msgspec.Struct, frozen=True, gc=False):
    """What a shed was left with, hidden cards turned up."""

    seat: Seat
    hand: tuple[str, ...]
    top: tuple[str, ...]
    hidden: tuple[str, ...]


class GameOver(Event, frozen=True, gc=False):
    """``shed`` names every seat that shares it; ``places`` is one a seat."""

    shed: tuple[Seat, ...]
    places: tuple[int, ...]
    remaining: tuple[Remaining, ...]


class Standing(msgspec.Struct, frozen=True, gc=False):
    """``points`` is the sum of the seat's places, less is better."""

    seat: Seat
    place: int
    times_shed: int
    points: int


class MatchOver(Event, frozen=True, gc=False):
    """The final ranking, best first."""

    standings: tuple[Standing, ...]


ShitheadEvent: TypeAlias = (
    GameStarted
    | Dealt
    | Exchanged
    | Ready
    | Played
    | HiddenFailed
    | PickedUp
    | Direction
    | Burned
    | Drew
    | SeatOut
    | Turn
    | GameOver
    | MatchOver
)
