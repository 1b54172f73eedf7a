"""Time beyond the limit for a move, where a person rests: quiet hours and holidays.

Only where a move has days. What rests is read when a choice begins, and stands in the seat's row as
time beyond the limit for that choice. So a deadline follows from the log and the seats for ever,
whatever their people choose later, and a match without days for a move costs nothing.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil
from uuid import UUID

from accounts.hours.counting import Rest, deadline
from accounts.hours.selectors import rests_of
from games.matches.models import Match, Seat
from games.matches.snapshot import DAY


def extra_seconds(turn_seconds: int | None, rest: Rest, at: datetime) -> int:
    """How much later than usual a turn ends that begins now, in whole seconds."""
    allowed = timedelta(seconds=turn_seconds or 0)
    return ceil((deadline(at, allowed, rest) - at - allowed).total_seconds())


def rest_from_the_start(row: Match, people: Sequence[Seat], at: datetime) -> datetime | None:
    """The deadline of a match that begins now; the seats get the time in which they rest."""
    if row.turn_seconds is None or not people:
        return None
    if row.turn_seconds >= DAY:
        rests = rests_of({seat.user_id for seat in people if seat.user_id}, at)
        for seat in people:
            if seat.user_id in rests:
                seat.extra_seconds = extra_seconds(row.turn_seconds, rests[seat.user_id], at)
                seat.extra_version = row.version
    extra = (seat.extra_seconds if seat.extra_version is not None else 0 for seat in people)
    return at + timedelta(seconds=row.turn_seconds + min(extra))


def full_time(turn_seconds: int, holder: UUID | None, at: datetime) -> datetime:
    """Until when a person has who gets the whole time for a move now."""
    allowed = timedelta(seconds=turn_seconds)
    rests = rests_of([holder], at) if holder and turn_seconds >= DAY else {}
    return deadline(at, allowed, rests[holder]) if holder in rests else at + allowed
