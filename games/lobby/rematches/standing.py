"""How it stands with the rematch of a match: who wants it, who has not answered, who does not."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from games.matches.models import Match, Seat
from games.matches.selectors.access import snapshot_of
from games.matches.selectors.lists import invitations_of
from games.matches.snapshot import MatchSnapshot


@dataclass(frozen=True)
class Standing:
    """The newest rematch; ``wants``, ``awaited`` and ``declined`` are seats of the match played."""

    match: UUID
    status: str
    wants: tuple[int, ...]
    awaited: tuple[int, ...]
    declined: tuple[int, ...]

    @property
    def is_open(self) -> bool:
        return self.status == Match.Status.OPEN


def standing_of(match: MatchSnapshot, reader: UUID | None) -> Standing | None:
    """``None`` where nobody wants a rematch, or the reader may not know of it.

    A person is not asked by somebody whom they have blocked.
    """
    if not match.is_over:
        return None
    row = Match.objects.filter(previous=match.id).prefetch_related("seats").order_by("-id").first()
    if row is None or not _may_know(row, reader):
        return None
    seats = list(row.seats.all())
    free = [seat for seat in seats if seat.kind == Seat.Kind.OPEN and seat.invited_id]
    return Standing(
        match=row.id,
        status=row.status,
        wants=_before(seats, [seat for seat in seats if seat.user_id]),
        awaited=_before(seats, [seat for seat in free if not seat.declined]),
        declined=_before(seats, [seat for seat in free if seat.declined]),
    )


def _may_know(row: Match, reader: UUID | None) -> bool:
    match = snapshot_of(row, row.seats.all())
    if not match.is_visible_to(reader) and not _declined(match, reader):
        return False
    if reader is None or row.status != Match.Status.OPEN or not match.is_invited(reader):
        return True
    return invitations_of(reader).filter(id=row.id).exists()


def _declined(match: MatchSnapshot, reader: UUID | None) -> bool:
    return reader is not None and any(seat.invited_id == reader for seat in match.seats)


def _before(seats: list[Seat], which: Iterable[Seat]) -> tuple[int, ...]:
    """Where these seats were in the match that was played: seat 1 has become seat 0."""
    return tuple(sorted((seat.index + 1) % len(seats) for seat in which))
