"""Recovery: due bot turns that nobody played, deadlines that passed, loads that were not begun.

Messages may be lost with a killed worker or broker; the match rows are not. Three duties read only
the rows of active matches and of open ones that were loaded (partial indexes that no move changes).
One match that cannot be read, or whose computer is gone, stops no other one.
"""

from contextlib import suppress
from datetime import timedelta
from typing import Final, get_args
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from config.refusals import Refusal
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.absent import is_absent, of_installed_games
from games.matches import turn_queue
from games.matches.announcements import announce_again
from games.matches.models import Match, Seat
from games.matches.overdue import clocks
from games.matches.seating import joining
from games.matches.selectors.access import get_match
from games.matches.turn_queue import TurnClass

OVERDUE = timedelta(seconds=2)
MOST_AT_ONCE = 1000


def resend_overdue(overdue: timedelta = OVERDUE) -> None:
    """Announces overdue turns again, enforces deadlines, calls off loads left waiting."""
    announce_overdue(overdue)
    enforce_deadlines()
    joining.call_off_waiting_loads()


def announce_overdue(overdue: timedelta = OVERDUE) -> None:
    """That a turn is announced does not mean that it can be played: its trouble stays."""
    _schedule_handed_over()
    due = _overdue(overdue)
    each("turns", due, lambda match_id: announce_again(get_match(match_id)), forgives=False)


def enforce_deadlines() -> None:
    each("clocks", _late(), _time_out)


def _time_out(match_id: UUID) -> None:
    with suppress(Refusal):  # resigned, moved or ended meanwhile
        if is_absent(get_match(match_id).rules):
            _stop_clock(match_id)
        else:
            clocks.time_out(match_id=match_id)


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
        of_installed_games("match__"),
        ~Q(stand_in=""),
        match__status="active",
        match__bot_due_at=None,
        match__to_act__contains=[F("index")],
    )
    ids = forgotten.values("match_id")[:MOST_AT_ONCE]
    Match.objects.filter(id__in=ids, bot_due_at=None).update(bot_due_at=timezone.now() - OVERDUE)


def _overdue(overdue: timedelta) -> list[UUID]:
    """The newest first: a backlog does not hide what was lost a moment ago."""
    due = Match.objects.filter(
        of_installed_games(), status="active", bot_due_at__lt=timezone.now() - overdue
    )
    return list(due.order_by("-bot_due_at").values_list("id", flat=True)[:MOST_AT_ONCE])


def _stop_clock(match_id: UUID) -> None:
    """Nobody could move in time: when the game is back, this move has no limit."""
    Match.objects.filter(id=match_id, status="active").update(deadline_at=None)


def _late() -> list[UUID]:
    late = Match.objects.filter(status="active", deadline_at__lt=timezone.now())
    return list(late.order_by("deadline_at").values_list("id", flat=True)[:MOST_AT_ONCE])


TURNS: Final = Duty(
    name="turns",
    piece=announce_overdue,
    due="""
SELECT bot_due_at + interval '2 seconds', id::text FROM games_match
WHERE status = 'active' AND bot_due_at < %(now)s - interval '2 seconds' AND game = ANY(%(games)s)
UNION ALL SELECT NULL, NULL FROM games_seat s JOIN games_match m ON m.id = s.match_id
WHERE s.stand_in <> '' AND m.status = 'active' AND m.bot_due_at IS NULL
    AND s.index = ANY(m.to_act) AND m.game = ANY(%(games)s)""",
    every=OVERDUE.total_seconds(),
    is_look=True,
)
CLOCKS: Final = Duty(
    name="clocks",
    piece=enforce_deadlines,
    due="""
SELECT deadline_at, id::text FROM games_match
WHERE status = 'active' AND deadline_at < %(now)s""",
)
LOADS: Final = Duty(
    name="loads",
    piece=joining.call_off_waiting_loads,
    due="""
SELECT NULL::timestamptz, m.id::text FROM games_match m JOIN games_match p ON p.id = m.parent_id
WHERE m.status = 'open' AND m.parent_id IS NOT NULL AND p.status IN ('finished', 'aborted')
    AND (NOT m.past_was_told OR m.past_was_told IS NULL AND m.created_at < p.finished_at)
    AND m.game = ANY(%(games)s)""",
    every=2,
)
