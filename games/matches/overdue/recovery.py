"""Recovery: due bot turns that nobody played, deadlines that passed, loads that were not begun.

Messages may be lost with a killed worker or broker; the match rows are not. Recovery runs every two
seconds and reads only the rows of active matches and of open ones that were loaded (partial
indexes that no move changes).
"""

from datetime import timedelta
from typing import get_args
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from config.refusals import Refusal
from games.matches import turn_queue
from games.matches.announcements import announce
from games.matches.models import Match, Seat
from games.matches.overdue import clocks
from games.matches.seating import joining
from games.matches.selectors.access import get_match
from games.matches.turn_queue import TurnClass

OVERDUE = timedelta(seconds=2)
MOST_AT_ONCE = 1000


def resend_overdue(overdue: timedelta = OVERDUE) -> None:
    """Announces overdue turns again, enforces deadlines, calls off loads left waiting."""
    _schedule_handed_over()
    for match_id in _overdue(overdue):
        announce(get_match(match_id))
    for match_id in _late():
        try:
            clocks.time_out(match_id=match_id)
        except Refusal:
            continue  # resigned, moved or ended meanwhile
    joining.call_off_waiting_loads()


def resend_all() -> None:
    """Announces every turn that is due: for a worker that has just connected to the broker.

    A task that ended with its process, or with the connection, has left its reservation behind, and
    no other task is sent until that expires: all reservations are released first.
    """
    for turn_class in get_args(TurnClass):
        turn_queue.release_task(turn_class)
    resend_overdue(timedelta())


def _schedule_handed_over() -> None:
    """A seat may be handed to a bot while a move is judged by what the seat was before."""
    forgotten = Seat.objects.filter(
        ~Q(stand_in=""),
        match__status="active",
        match__bot_due_at=None,
        match__to_act__contains=[F("index")],
    )
    ids = forgotten.values("match_id")[:MOST_AT_ONCE]
    Match.objects.filter(id__in=ids, bot_due_at=None).update(bot_due_at=timezone.now() - OVERDUE)


def _overdue(overdue: timedelta) -> list[UUID]:
    """The newest first: a backlog does not hide what was lost a moment ago."""
    due = Match.objects.filter(status="active", bot_due_at__lt=timezone.now() - overdue)
    return list(due.order_by("-bot_due_at").values_list("id", flat=True)[:MOST_AT_ONCE])


def _late() -> list[UUID]:
    late = Match.objects.filter(status="active", deadline_at__lt=timezone.now())
    return list(late.order_by().values_list("id", flat=True)[:MOST_AT_ONCE])
