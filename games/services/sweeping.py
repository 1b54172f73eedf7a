"""What was promised and not kept: bot turns and simulations nobody took, deadlines that passed.

Messages may be lost with a killed worker or broker; the match rows are not. Runs every two
seconds and reads only the rows of active matches (a partial index that no move changes).
"""

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from config.refusals import Refused
from games import announce, selectors
from games.models import Match
from games.services import plies, simulations

OVERDUE = timedelta(seconds=2)
MOST_AT_ONCE = 1000


def sweep() -> None:
    """Announces what is overdue again and resigns the people whose time is up."""
    for match_id in _overdue():
        announce.after_commit(selectors.table(match_id))
    for match_id in _late():
        try:
            plies.time_out(match_id=match_id)
        except Refused:
            continue  # resigned, moved or ended meanwhile
    simulations.sweep()


def _overdue() -> list[UUID]:
    owed = Match.objects.filter(status="active", bot_due_at__lt=timezone.now() - OVERDUE)
    return list(owed.order_by().values_list("id", flat=True)[:MOST_AT_ONCE])


def _late() -> list[UUID]:
    late = Match.objects.filter(status="active", deadline_at__lt=timezone.now())
    return list(late.order_by().values_list("id", flat=True)[:MOST_AT_ONCE])
