"""The acts of operators on the time for a move: nobody is ever given less."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from accounts.audit.log import Actor
from games.matches.writing.deadlines import deadlines, extended, give_all_until
from games.operations.refereeing.case import CannotReferee, Case, log_act, notify_players, running

LONGEST_EXTENSION = timedelta(days=30)


def extend_deadline(*, match_id: UUID, by: Actor, minutes: int) -> str:
    """Adds minutes to the time that each person to act has left; nobody ever gets less."""
    added = _checked_time(minutes)
    with _awaiting_people(match_id) as case:
        was, now = case.row.deadline_at, timezone.now()
        if was is None:
            raise CannotReferee("This move has no deadline: there is nothing to extend.")
        until = {
            seat: extended(deadline, added, now) for seat, deadline in deadlines(case.match).items()
        }
        _write_deadlines(case, until, now)
        log_act(by, "change_deadline", case.match, minutes=minutes, was=moment(was))
        times = f"{moment(was)} → {moment(case.row.deadline_at)}"
        notify_players(match_id, f"An operator extended the time for this move: {times}.")
    return f"The deadline: {times}."


def set_deadline(*, match_id: UUID, by: Actor, minutes: int) -> str:
    """Gives a move without a deadline this many minutes from now; one that has one keeps it."""
    given = _checked_time(minutes)
    with _awaiting_people(match_id) as case:
        if case.row.deadline_at is not None:
            raise CannotReferee("This move has a deadline. Extend it; nobody is given less time.")
        now = timezone.now()
        _write_deadlines(case, dict.fromkeys(case.match.people_to_act, now + given), now)
        log_act(by, "change_deadline", case.match, minutes=minutes, was=moment(None))
        times = f"none → {moment(case.row.deadline_at)}"
        notify_players(match_id, f"An operator set a deadline for this move: {times}.")
    return f"The deadline: {times}."


def clear_deadline(*, match_id: UUID, by: Actor) -> str:
    """Takes the limit from this move."""
    with _awaiting_people(match_id) as case:
        was = case.row.deadline_at
        if was is None:
            raise CannotReferee("This move has no deadline.")
        _write_deadlines(case, {}, timezone.now())
        log_act(by, "change_deadline", case.match, minutes=None, was=moment(was))
        notify_players(match_id, "An operator took the limit from this move.")
    return f"The deadline: {moment(was)} → none."


def moment(at: datetime | None) -> str:
    """A time as operators and players read it, to the second."""
    return "none" if at is None else f"{at:%Y-%m-%d %H:%M:%S} UTC"


def _checked_time(minutes: int) -> timedelta:
    if not 0 < minutes <= LONGEST_EXTENSION.total_seconds() // 60:
        raise CannotReferee("Give between one minute and 30 days.")
    return timedelta(minutes=minutes)


@contextmanager
def _awaiting_people(match_id: UUID) -> Iterator[Case]:
    with running(match_id) as case:
        if not case.match.people_to_act:
            raise CannotReferee("No person is to act in this match.")
        yield case


def _write_deadlines(case: Case, until: Mapping[int, datetime], now: datetime) -> None:
    """Writes each seat's own deadline; the row has the one that ends first."""
    give_all_until(case.row, case.seats, until)
    case.row.deadline_at, case.row.updated_at = min(until.values(), default=None), now
    case.row.save(update_fields=["deadline_at", "updated_at", "clock"])
