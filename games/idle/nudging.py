"""Nudging: a row for each person who has been to act for a day, and word to their streams.

The beat asks for it; asked twice, a nudge is written once. Where its announcement is lost, a stream
tells it when it is resumed, and the page of the match says so anyway.
"""

from datetime import timedelta
from typing import Final

from django.utils import timezone

from config.tasks.duties import Duty
from config.tasks.rows import each
from games.idle.models import Nudge
from games.idle.selectors import NUDGED_AFTER, idle_for, is_idle
from games.matches.announcements import announce
from games.matches.models import Match
from games.matches.selectors.changes import matches_by_id
from games.matches.snapshot import MatchSnapshot

MOST_AT_ONCE: Final = 500
KEPT: Final = timedelta(days=30)


def nudge_all() -> int:
    """Nudges everybody who is due; how many were."""
    return sum(map(len, each("nudges", _due(), _nudges, key=lambda match: match.id)))


def forget() -> int:
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
FORGOTTEN: Final = Duty(name="old nudges", piece=forget, every=3600)
