"""Time for a move: what happens when it is up, more of it for another, and a seat taken back."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.services.locking import check_may_play
from config.clock import now_after, now_in_milliseconds
from games.absent import of_installed_games
from games.matches.leaving import handing_over, resigning
from games.matches.models import Match, Seat
from games.matches.refusals import (
    MatchNotActive,
    NobodyToGiveTime,
    NotYourSeat,
    SeatHandedOver,
    TimeIsUp,
    TooMuchTime,
)
from games.matches.seating.joining import locked, locked_match
from games.matches.seating.opening import LONGEST_TURN
from games.matches.selectors.access import get_match, snapshot_of
from games.matches.snapshot import MatchSnapshot
from games.matches.time_bank import A_MINUTE_MORE
from games.matches.turns import bot_turns
from games.matches.writing.deadlines import deadlines, give_all_until, late_seats


def time_out(*, match_id: UUID) -> None:
    """Enforces the match's rule on those whose time is up; each has a deadline of their own."""
    match, now = get_match(match_id), timezone.now()
    if match.on_timeout != Match.OnTimeout.BOT_MOVE:
        resigning.resign_or_hand_over(match_id=match_id)
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
    return handing_over.announced(row, seats)


def stand_still(pause: timedelta) -> None:
    """Gives all who are to act against a clock so much more time: nobody can move meanwhile."""
    running = Match.objects.filter(
        of_installed_games(), status=Match.Status.ACTIVE, deadline_at__isnull=False
    )
    for match_id in running.values_list("id", flat=True) if pause else ():
        with transaction.atomic():
            row, seats = locked(match_id)
            match = snapshot_of(row, seats)
            if match.status != "active" or match.deadline_at is None:
                continue  # it has ended meanwhile
            until = {seat: end + pause for seat, end in deadlines(match).items()}
            give_all_until(row, seats, until)
            row.updated_at = now_after(row.updated_at)
            row.save(update_fields=["deadline_at", "updated_at", "clock"])
            handing_over.announced(row, seats)


def _given(
    match: MatchSnapshot, user: User, seat: int | None, seconds: int | None, now: datetime
) -> dict[int, datetime]:
    """The new deadlines, by seat."""
    own, usual = match.seats_of(user.id), match.turn_seconds or A_MINUTE_MORE
    more = timedelta(seconds=seconds or usual)
    if not own:
        raise NotYourSeat("Only who plays in this match can give the others time.")
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
    handing_over.give_back(row, seats, index)
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
