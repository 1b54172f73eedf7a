"""Reads of idle matches: the people who are absent, and those who were nudged.

A match is idle since its last change: a move, a seat that changed hands, a notice of an operator.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from games.absent import of_installed_games
from games.idle.models import Nudge
from games.matches.models import Match
from games.matches.snapshot import MatchSnapshot

NUDGED_AFTER: Final = timedelta(days=1)
ABSENT_AFTER: Final = timedelta(days=3)


def idle_for(time: timedelta) -> QuerySet[Match]:
    """Running matches without a clock that have waited for people so long, the longest first."""
    return Match.objects.filter(
        of_installed_games(),
        status=Match.Status.ACTIVE,
        turn_seconds=None,
        clock=None,
        deadline_at=None,
        bot_due_at=None,
        updated_at__lte=timezone.now() - time,
    ).order_by("updated_at")


def is_idle(match: MatchSnapshot, time: timedelta, now: datetime) -> bool:
    """The same of one match: it waits for people, and no clock runs."""
    waits = match.status == "active" and match.is_playable and not match.has_limit
    if not waits or match.deadline_at is not None or now - match.updated_at < time:
        return False
    return bool(match.people_to_act) and not match.awaits_bot


def absent_seats(match: MatchSnapshot, now: datetime) -> list[int]:
    """The seats of people who may be counted as gone."""
    return match.people_to_act if is_idle(match, ABSENT_AFTER, now) else []


def may_end(match: MatchSnapshot, user: UUID | None, now: datetime) -> bool:
    """Whether this person plays in the match, has moved, and has waited for long enough."""
    absent = absent_seats(match, now)
    if not absent or not match.is_played_by(user):
        return False
    return all(match.seats[seat].user_id != user for seat in absent)


def nudges_in(matches: Collection[MatchSnapshot]) -> dict[tuple[UUID, UUID], datetime]:
    """When people were nudged about the turn that they have now, by match and person."""
    now = timezone.now()
    idle = {one.id: one.version for one in matches if is_idle(one, NUDGED_AFTER, now)}
    rows = Nudge.objects.filter(match__in=idle) if idle else Nudge.objects.none()
    return {
        (row.match_id, row.user_id): row.at for row in rows if idle[row.match_id] == row.version
    }
