"""Challenges that nobody answered in time: the beat calls them off, and forgets old ones.

Nobody can accept one after its time, whether or not the beat has come by (``joining``).
"""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from config.tasks.duties import Duty
from config.tasks.rows import each
from games.absent import of_installed_games
from games.lobby.models import Challenge
from games.matches.models import Match
from games.matches.seating.joining import abort

KEPT: Final = timedelta(days=30)
AT_ONCE: Final = 200


def expire_all() -> int:
    """How many challenges were called off."""
    due = Match.objects.filter(
        of_installed_games(), status=Match.Status.OPEN, answer_by__lte=timezone.now()
    )
    ids = list(due.order_by("answer_by").values_list("id", flat=True)[:AT_ONCE])
    return sum(each("challenges", ids, _expire))


@transaction.atomic
def _expire(match_id: UUID) -> bool:
    row = Match.objects.select_for_update().get(id=match_id)
    if row.status != Match.Status.OPEN:
        return False
    Challenge.objects.filter(match=match_id).update(lapsed=True)
    abort(row, list(row.seats.order_by("index")))
    return True


def forget() -> int:
    """Deletes those that were made long ago; their matches stay."""
    return Challenge.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]


CHALLENGES: Final = Duty(
    name="challenges",
    piece=expire_all,
    due="""
SELECT answer_by, id::text FROM games_match
WHERE status = 'open' AND answer_by <= %(now)s AND game = ANY(%(games)s)""",
)
FORGOTTEN: Final = Duty(name="old challenges", piece=forget, every=3600)
