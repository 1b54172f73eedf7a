"""Ending a match in which somebody is absent: claiming it, or calling it off.

The absent person's return and these two exclude each other: a claim is written only where the match
is at the version that was judged, as a move is; calling off holds the row and looks again.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.locking import check_may_play
from accounts.models import User
from config.refusals import Refusal
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.absent import of_installed_games
from games.idle.models import Nudge
from games.matches import joining
from games.matches.announcements import announce
from games.matches.commit import commit
from games.matches.models import Match
from games.matches.refusals import MatchNotActive, NotYourSeat
from games.matches.selectors.access import Caller, find_match, matches_by_id, snapshot_of
from games.matches.selectors.history import visible
from games.matches.snapshot import MatchSnapshot
from games.matches.transition import Transition

# Reads of idle matches: the people who are absent, and those who were nudged.
#
# A match is idle since its last change: a move, a seat that changed hands, a notice of an
# operator.

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
    """The times of nudges about the turns that people have now, by match and person."""
    now = timezone.now()
    idle = {one.id: one.version for one in matches if is_idle(one, NUDGED_AFTER, now)}
    rows = Nudge.objects.filter(match__in=idle) if idle else Nudge.objects.none()
    return {
        (row.match_id, row.user_id): row.at for row in rows if idle[row.match_id] == row.version
    }


# Nudging: a row for each person who has been to act for a day, and word to their streams.
#
# The beat asks for it; asked twice, a nudge is written once. Where its announcement is lost, a
# stream tells it when it is resumed, and the page of the match says so anyway.

MOST_AT_ONCE: Final = 500
KEPT: Final = timedelta(days=30)


def nudge_all() -> int:
    """Nudges everybody who is due; how many were."""
    return sum(map(len, each("nudges", _due(), _nudges, key=lambda match: match.id)))


def forget_nudges() -> int:
    """Deletes old nudges of turns that are over; how many."""
    old = Nudge.objects.filter(at__lt=timezone.now() - KEPT)
    return old.exclude(match__status=Match.Status.ACTIVE).delete()[0]


def _due() -> list[MatchSnapshot]:
    """The idle matches in which somebody was not nudged at this version."""
    nudged = Nudge.objects.values_list("match_id", "version")
    idle = idle_for(NUDGED_AFTER).values_list("id", "version")[: 10 * MOST_AT_ONCE]
    known = set(nudged.filter(match__in=[match_id for match_id, _ in idle]))
    due = [match_id for match_id, version in idle if (match_id, version) not in known]
    return list(matches_by_id(due[:MOST_AT_ONCE]).values())


def _nudges(match: MatchSnapshot) -> list[Nudge]:
    if not is_idle(match, NUDGED_AFTER, timezone.now()):
        return []
    people = {match.seats[seat].user_id for seat in match.people_to_act}
    rows = [Nudge(match_id=match.id, version=match.version, user_id=one) for one in people if one]
    Nudge.objects.bulk_create(rows, ignore_conflicts=True)
    announce(match)
    return rows


NUDGES: Final = Duty(name="nudges", piece=nudge_all, every=300, idle=600)
FORGOTTEN: Final = Duty(name="old nudges", piece=forget_nudges, every=3600)

# Why nobody may end a match for another's absence.


class NotAbsent(Refusal, status=409):
    """Nobody has kept you waiting for three days in this match."""


_TRIES: Final = 5  # each time somebody moved first


def claim(*, match_id: UUID, user: User) -> MatchSnapshot:
    """The absent lose by time; among more than two sides computers play their seats on.

    Again it is the match as it ended. Raises ``Refusal`` by cause.
    """
    for _ in range(_TRIES):
        match, _user = visible(find_match(match_id, Caller(user=user.id)))
        if _is_done(match, user, "timeout"):
            return match
        _judge(match, user)
        check_may_play(user.id)
        after = commit(_resigned(match))
        if after is not None:
            announce(after)
            return after
    raise NotAbsent


@transaction.atomic
def call_off(*, match_id: UUID, user: User) -> MatchSnapshot:
    """Nobody wins. Again it is the match as it ended. Raises ``Refusal`` by cause."""
    row, seats = joining.locked_match(match_id, user)
    match = snapshot_of(row, seats)
    if _is_done(match, user, "aborted"):
        return match
    _judge(match, user)
    check_may_play(user.id)
    return joining.abort(row, seats)


def _is_done(match: MatchSnapshot, user: User, reason: str) -> bool:
    ended = match.outcome is not None and match.outcome.reason == reason
    return ended and bool(match.seats_of(user.id))


def _judge(match: MatchSnapshot, user: User) -> None:
    if not match.seats_of(user.id):
        raise NotYourSeat("Only its players can end this match.")
    if match.status != "active":
        raise MatchNotActive
    if not may_end(match, user.id, timezone.now()):
        raise NotAbsent


def _resigned(match: MatchSnapshot) -> Transition:
    transition = Transition(match)
    for seat in absent_seats(match, timezone.now()):
        if not transition.outcome:
            transition.resign(seat, timed_out=True)
    return transition
