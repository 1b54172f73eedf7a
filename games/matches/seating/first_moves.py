"""The first move of each person: without it in time a match is called off and not rated.

So nobody wins or loses anything by a match to which somebody does not come. It holds where several
accounts play against a clock; a person alone against computers loses by time as ever, unless a
tournament opened the match. The time for it is the limit for a move, or a minute of a bank
(``time_bank.FIRST_MOVE``). That a match was called off for it stands in the seats that were too
late: they are ``timed_out``, and still ``awaited``.

As one could wait for better cards like this, a person who stays away again and again is not rated
for a day and not paired.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import lru_cache
from typing import Final
from uuid import UUID

from django.db import DatabaseError
from django.db.models import Count
from django.utils import timezone

from games.matches.models import Match, Seat
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.snapshot import MatchSnapshot

STAYED_AWAY: Final = 3  # matches of a day
LATELY: Final = timedelta(days=1)


def await_first_moves(row: Match, seats: Sequence[Seat]) -> None:
    """Of a match that begins now, as it is to be written."""
    if not has_limit(row) or row.parent_id or row.on_timeout != Match.OnTimeout.RESIGN:
        return
    people = [seat for seat in seats if seat.kind == Seat.Kind.USER]
    if len(people) > 1 or is_arranged(row, seats):
        for seat in people:
            seat.awaited = True


def has_limit(row: Match) -> bool:
    return row.turn_seconds is not None or row.clock is not None


def is_arranged(match: Match | MatchSnapshot, seats: Sequence[Seat | SeatSnapshot]) -> bool:
    """Whether its host has no seat, as in the matches of tournaments."""
    return all(seat.user_id != match.creator_id for seat in seats)


def is_to_come(match: MatchSnapshot, user: UUID | None) -> bool:
    """Whether it matters that this person looks at the match: a tournament awaits their move."""
    if user is None or match.status != "active" or not match.awaited:
        return False
    awaited = any(match.seats[seat].user_id == user for seat in match.awaited)
    return awaited and is_arranged(match, match.seats)


def note_came(match: MatchSnapshot, user: UUID | None) -> None:
    """Notes that a person looked at a match of a tournament, also while it is not their turn."""
    if is_to_come(match, user):
        with suppress(DatabaseError):  # it answers a reader, who may look again
            _note_once(match.id, user)


@lru_cache(maxsize=4096)
def _note_once(match_id: UUID, user: UUID | None) -> None:
    Seat.objects.filter(match=match_id, user=user, awaited=True, came=False).update(came=True)


def who_stays_away(people: Collection[UUID]) -> list[UUID]:
    """Those of these people without whose first move several matches were called off lately."""
    missed = Seat.objects.filter(
        user__in=people,
        awaited=True,
        timed_out=True,
        match__status=Match.Status.ABORTED,
        match__finished_at__gte=timezone.now() - LATELY,
    )
    counts = missed.order_by().values("user").annotate(count=Count("id"))
    return list(counts.filter(count__gte=STAYED_AWAY).values_list("user", flat=True))
