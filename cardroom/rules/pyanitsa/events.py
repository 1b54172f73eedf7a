"""Events of a match of Pyanitsa (rules §4), and what the other seats see of them."""

from typing import Literal

from cardroom.rules.values import Event, Seat

TakenBy = Literal["highest", "dispute_won", "no_cards"]
EndedBy = Literal["all_cards", "gave_away", "limit"]


class Dealt(Event, frozen=True, gc=False):
    cards_per_seat: int
    set_aside: int


class CardLaid(Event, frozen=True, gc=False):
    """``card`` is null when it lies face down: then nobody knows it, not even its owner (§5)."""

    face_up = True
    seat: Seat
    card: str | None
    level: int


class Recycled(Event, frozen=True, gc=False):
    """The won pile became the draw pile, because the next card was needed (R6)."""

    seat: Seat
    count: int


class Dispute(Event, frozen=True, gc=False):
    """A dispute level begins; ``mortgage``: each lays a card face down below the open one."""

    level: int
    seats: tuple[Seat, ...]
    mortgage: bool


class TrickTaken(Event, frozen=True, gc=False):
    """``face_down`` names the cards that lay face down, in the order laid, to a taker who may
    choose the order (`collect_order` arbitrary); null for all others and in all other matches.
    """

    seat: Seat
    count: int
    reason: TakenBy
    face_down: tuple[str, ...] | None = None

    def seen_by(self, seat: Seat | None) -> Event:
        if self.face_down is None or seat == self.seat:
            return self
        return TrickTaken(seat=self.seat, count=self.count, reason=self.reason)


class SeatOut(Event, frozen=True, gc=False):
    seat: Seat
    trick_no: int


class MatchOver(Event, frozen=True, gc=False):
    winners: tuple[Seat, ...]
    reason: EndedBy
    places: tuple[int, ...]


PyanitsaEvent = Dealt | CardLaid | Recycled | Dispute | TrickTaken | SeatOut | MatchOver


def shown_by(event: Event) -> tuple[str, ...]:
    """The cards that this event names to a reader who sees all of it."""
    if isinstance(event, CardLaid):
        return () if event.card is None else (event.card,)
    return (event.face_down or ()) if isinstance(event, TrickTaken) else ()
