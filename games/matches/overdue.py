"""Overdue: passed deadlines, and due turns that nobody played. The beat looks for them."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, get_args
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.locking import check_may_play
from accounts.models import User
from config.clock import now_after, now_in_milliseconds
from config.refusals import Refusal
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.absent import is_absent, of_installed_games
from games.matches import announcements, bot_turns, joining, leaving
from games.matches.announcements import TurnClass, announce_again
from games.matches.commit import deadlines, give_all_until, late_seats
from games.matches.joining import locked, locked_match
from games.matches.models import Match, Seat
from games.matches.opening import LONGEST_TURN
from games.matches.refusals import (
    MatchNotActive,
    NobodyToGiveTime,
    NotYourSeat,
    SeatHandedOver,
    TimeIsUp,
    TooMuchTime,
)
from games.matches.selectors.access import get_match, snapshot_of
from games.matches.snapshot import MatchSnapshot
from games.matches.time_bank import A_MINUTE_MORE

# Time for a move: what happens when it is up, more of it for another, and a seat taken back.


def time_out(*, match_id: UUID) -> None:
    """Enforces the match's rule on those whose time is up; each has a deadline of their own."""
    match, now = get_match(match_id), timezone.now()
    if match.on_timeout != Match.OnTimeout.BOT_MOVE:
        leaving.resign_or_hand_over(match_id=match_id)
    elif match.deadline_at is not None and match.deadline_at <= now:
        bot_turns.play_instead(match, list(late_seats(match, now)))


@transaction.atomic
def give_time(
    *, match_id: UUID, user: User, seconds: int | None = None, seat: int | None = None
) -> MatchSnapshot:
    """Gives the others who are to act, or one seat, more time.

    By default the limit once more, or a minute for a bank.

    Raises ``Refusal`` by cause.
    """
    row, seats = locked_match(match_id, user)
    match, now = snapshot_of(row, seats), now_in_milliseconds()
    give_all_until(row, seats, _given(match, user, seat, seconds, now))
    row.updated_at = now_after(row.updated_at)
    row.save(update_fields=["deadline_at", "updated_at", "clock"])
    return leaving.announced(row, seats)


def stand_still(pause: timedelta) -> None:
    """Gives all who are to act against a clock so much more time: nobody can move meanwhile."""
    running = Match.objects.filter(
        of_installed_games(), status=Match.Status.ACTIVE, deadline_at__isnull=False
    )
    for match_id in running.values_list("id", flat=True) if pause else ():
        give_back_time(match_id, pause)


@transaction.atomic
def give_back_time(match_id: UUID, pause: timedelta) -> None:
    """The same in one match that stood still."""
    row, seats = locked(match_id)
    match = snapshot_of(row, seats)
    if match.status != "active" or match.deadline_at is None:
        return  # it has ended meanwhile
    until = {seat: end + pause for seat, end in deadlines(match).items()}
    give_all_until(row, seats, until)
    row.updated_at = now_after(row.updated_at)
    row.save(update_fields=["deadline_at", "updated_at", "clock"])
    leaving.announced(row, seats)


def _given(
    match: MatchSnapshot, user: User, seat: int | None, seconds: int | None, now: datetime
) -> dict[int, datetime]:
    """The new deadlines, by seat."""
    own, usual = match.seats_of(user.id), match.turn_seconds or A_MINUTE_MORE
    more = timedelta(seconds=seconds or usual)
    if not own:
        raise NotYourSeat("Only its players can give the others time.")
    if match.status != "active":
        raise MatchNotActive
    named = match.people_to_act if seat is None else {seat} & set(match.people_to_act)
    others = [index for index in named if index not in own]
    if not others or match.deadline_at is None or not match.has_limit:
        raise NobodyToGiveTime
    until = {index: end for index, end in deadlines(match).items() if index in others}
    if min(until.values()) <= now:
        raise TimeIsUp("Their time is up already.")
    longer = {index: max(end, match.deadline_at) + more for index, end in until.items()}
    if max(longer.values()) > now + timedelta(seconds=LONGEST_TURN):
        raise TooMuchTime
    return longer


@transaction.atomic
def reclaim(*, match_id: UUID, user: User, seat: int | None = None) -> MatchSnapshot:
    """A person takes back a seat that a bot took over at the deadline; their time starts again.

    Without ``seat`` it is the first of the caller's that can be taken back. Where no bot plays,
    nothing changes. Raises ``Refusal`` by cause.
    """
    row, seats = locked_match(match_id, user)
    check_may_play(user.id)
    match = snapshot_of(row, seats)
    index = _to_reclaim(match, match.seats_of(user.id), seat)
    if index is None:
        return match
    _check_reclaim(match, seats[index])
    leaving.give_back(row, seats, index)
    return snapshot_of(row, seats)


def _to_reclaim(match: MatchSnapshot, own: Sequence[int], seat: int | None) -> int | None:
    if not own or seat not in (None, *own):
        raise NotYourSeat
    handed = [index for index in own if match.seats[index].stand_in]
    if seat is not None:
        return seat if seat in handed else None
    return next((i for i in handed if match.seats[i].may_be_reclaimed), next(iter(handed), None))


def _check_reclaim(match: MatchSnapshot, seat: Seat) -> None:
    if match.status != "active":
        raise MatchNotActive
    if seat.resigned_at is not None:
        raise MatchNotActive("This seat has resigned; a bot plays it on.")
    if not seat.handed_by_clock:
        raise SeatHandedOver


# Recovery: due bot turns that nobody played, deadlines that passed, loads that were not begun.
#
# Messages may be lost with a killed worker or broker; the match rows are not. Three duties read
# only the rows of active matches and of open ones that were loaded (partial indexes that no move
# changes). One match that cannot be read, or whose computer is gone, stops no other one.

OVERDUE = timedelta(seconds=2)
MOST_AT_ONCE = 1000


def resend_overdue(overdue: timedelta = OVERDUE) -> None:
    """Announces overdue turns again, enforces deadlines, calls off loads left waiting."""
    announce_overdue(overdue)
    enforce_deadlines()
    joining.call_off_waiting_loads()


def announce_overdue(overdue: timedelta = OVERDUE) -> None:
    """Announce overdue turns again; one that cannot be played keeps its trouble."""
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
            time_out(match_id=match_id)


def resend_all() -> None:
    """Announces every turn that is due: for a worker that has just connected to the broker.

    A task that ended with its process, or with the connection, has left its reservation behind, and
    no other task is sent until that expires: all reservations are released first.
    """
    for turn_class in get_args(TurnClass):
        announcements.release_task(turn_class)
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
