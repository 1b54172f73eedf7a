"""Events of Pişti (rules §4), and what the other seats see of them."""

from typing import Literal

import msgspec

from cardroom.rules.values import Event, Seat


class DealStarted(Event, frozen=True, gc=False):
    """``deal_no`` counts from 1 and is the number of the round."""

    deal_no: int
    dealer: Seat
    starter: Seat


class HandDealt(Event, frozen=True, gc=False):
    """``cards`` is private to ``seat``."""

    seat: Seat
    count: int
    cards: tuple[str, ...] | None = None

    def seen_by(self, seat: Seat | None) -> "HandDealt":
        return self if seat == self.seat else HandDealt(self.seat, self.count)


class CentreDealt(Event, frozen=True, gc=False):
    count: int
    top: str


class JackBuried(Event, frozen=True, gc=False):
    """The turned-up jack went to the bottom of the centre; ``top`` is turned up instead (R7)."""

    face_up = True
    card: str
    top: str


class Redeal(Event, frozen=True, gc=False):
    """The deal is void; hands and centre are dealt again from a new deck (R8)."""

    face_up = True
    reason: Literal["four_jacks"]
    cards: tuple[str, ...]


class CardPlayed(Event, frozen=True, gc=False):
    seat: Seat
    card: str
    play_no: int


class Captured(Event, frozen=True, gc=False):
    """``count`` includes the card played.

    ``face_down`` is what lay face down in the centre, bottom first: private to ``seat``.
    """

    seat: Seat
    count: int
    face_down: tuple[str, ...] | None = ()

    def seen_by(self, seat: Seat | None) -> "Captured":
        if seat == self.seat or not self.face_down:
            return self
        return Captured(self.seat, self.count, None)


class Pisti(Event, frozen=True, gc=False):
    seat: Seat
    side: int
    kind: Literal["single", "double"]
    points: int


class LeftoverAwarded(Event, frozen=True, gc=False):
    seat: Seat
    count: int


class SideScore(msgspec.Struct, frozen=True, gc=False):
    """One side's deal: counts of what scores, its points, and the heap that is now public."""

    jacks: int
    aces: int
    two_clubs: bool
    ten_diamonds: bool
    cards: int
    majority: bool
    pistis: int
    doubles: int
    deal_points: int
    total: int
    heap: tuple[str, ...]


class DealScored(Event, frozen=True, gc=False):
    sides: tuple[SideScore, ...]


class MatchOver(Event, frozen=True, gc=False):
    """``winner`` is a side, ``None`` for a draw."""

    winner: int | None
    totals: tuple[int, ...]


PistiEvent = (
    DealStarted
    | HandDealt
    | CentreDealt
    | JackBuried
    | Redeal
    | CardPlayed
    | Captured
    | Pisti
    | LeftoverAwarded
    | DealScored
    | MatchOver
)
