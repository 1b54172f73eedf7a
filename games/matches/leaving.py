"""Leaving a match: resigning, and handing a seat over."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from config.clock import now_after, now_in_milliseconds
from config.tasks import after_commit
from games.matches import joining
from games.matches.announcements import announce
from games.matches.commit import commit, current_deadline, give_until, late_seats
from games.matches.models import Match, Seat
from games.matches.refusals import MatchNotActive, SeatIsOut, StaleVersion
from games.matches.resting import full_time
from games.matches.selectors.access import Caller, find_match, get_match, snapshot_of
from games.matches.selectors.history import own_seat, visible
from games.matches.snapshot import MatchSnapshot, bots_due_at, people_among
from games.matches.transition import Transition

# A bot plays a person's seat for a while: handing it over, giving it back.
#
# No ply: the bot's moves are moves of the seat. Call these with the match locked. They change the
# match's time of change, so a move that is judged at the same time is judged again.

_SEAT = ["stand_in", "handed_by_clock", "extra_seconds", "extra_version"]


def hand_over(row: Match, seats: Sequence[Seat], index: int, bot: str, *, by_clock: bool) -> None:
    """Hands a seat to a bot. ``by_clock``: its person's time was up and they may take it back."""
    seat, limited = seats[index], _is_limited(row, seats)
    seat.stand_in, seat.handed_by_clock = bot, by_clock
    seat.save(update_fields=_SEAT)
    _reschedule(row, seats, limited=limited)


def give_back(row: Match, seats: Sequence[Seat], index: int) -> None:
    """The person plays on; the time for a move begins now, or the bank runs on."""
    seat, limited = seats[index], _is_limited(row, seats)
    seat.stand_in, seat.handed_by_clock = "", False
    match = snapshot_of(row, seats)
    if match.banks is not None:
        row.clock = match.banks.with_at_least(index).encode()
    elif index in match.people_to_act and match.turn_seconds:
        until = full_time(match.turn_seconds, seat.user_id, now_in_milliseconds())
        give_until(match, seat, until)
    seat.save(update_fields=_SEAT)
    _reschedule(row, seats, limited=limited)


def _is_limited(row: Match, seats: Sequence[Seat]) -> bool:
    """Whether a deadline runs for those to act: an operator may have cleared it for this move."""
    return row.deadline_at is not None or not snapshot_of(row, seats).people_to_act


def _reschedule(row: Match, seats: Sequence[Seat], *, limited: bool) -> MatchSnapshot:
    """Sets when bots are due and until when people have time, as those to act may have changed."""
    match, at = snapshot_of(row, seats), now_after(row.updated_at)
    people = people_among(match.to_act, match.rules, match.seats, match.state)
    row.bot_due_at = bots_due_at(match.to_act, people, match.seats, at)
    if match.banks is not None and limited:
        row.clock = match.banks.for_those(people, at).encode()
        match = snapshot_of(row, seats)
    row.deadline_at = current_deadline(match) if limited else None
    row.updated_at = at
    row.save(update_fields=["bot_due_at", "deadline_at", "updated_at", "clock"])
    return announced(row, seats)


def announced(row: Match, seats: Sequence[Seat]) -> MatchSnapshot:
    """The match as it is written now; it is announced when the transaction ends."""
    match = snapshot_of(row, seats)
    after_commit.when_committed(lambda: announce(match))
    return match


@transaction.atomic
def hand_over_late(match_id: UUID) -> None:
    """Every seat whose time is up goes to the game's stand-in."""
    row = Match.objects.select_for_update().get(id=match_id)
    seats, now = list(row.seats.order_by("index")), now_in_milliseconds()
    match = snapshot_of(row, seats)
    if match.status != "active" or match.deadline_at is None or match.deadline_at > now:
        return  # somebody moved at the last moment
    for seat in list(late_seats(match, now)):
        hand_over(row, seats, seat, match.rules.stand_in, by_clock=True)


# Seats that are given up: by their people, by an operator, or because their time is up.

_TRIES: Final = 5  # each time somebody else moved first


def resign(*, match_id: UUID, caller: Caller, seat: int | None = None) -> MatchSnapshot:
    """Gives up a seat (FORMAT.md, Resigning), also out of turn; raises ``Refusal`` by cause."""
    for _ in range(_TRIES):
        match, user = visible(find_match(match_id, caller))
        own = own_seat(match, user, seat, match.version)
        after = _resign_seat(match, own, timed_out=False)
        if after is not None:
            return after
    raise StaleVersion(get_match(match_id), user)


def resign_as_operator(*, match_id: UUID, seat: int) -> MatchSnapshot:
    """Resigns any seat, a bot's too; raises ``Refusal`` by cause."""
    for _ in range(_TRIES):
        after = _resign_seat(get_match(match_id), seat, timed_out=False)
        if after is not None:
            return after
    raise MatchNotActive("The match moves on too fast; try again.")


def resign_or_hand_over(*, match_id: UUID) -> None:
    """Resigns the people whose time is up, or hands their seats to a bot.

    Where a bot makes just one move for them, only ``clocks`` does that: it takes time.
    """
    match, now = get_match(match_id), timezone.now()
    if match.deadline_at is None or match.deadline_at > now:
        return
    if match.on_timeout == Match.OnTimeout.BOT_TAKES_OVER:
        hand_over_late(match_id)
    if match.on_timeout != Match.OnTimeout.RESIGN:
        return
    late = list(late_seats(match, now))
    if not match.rated and _is_only_program(match, late):
        hand_over_late(match_id)
        return
    if call_off_unbegun(match, late):
        return
    for seat in late:
        if match.status == "active":
            after = _resign_seat(match, seat, timed_out=True)
            if after is None:
                return  # somebody moved at the last moment; the next recovery looks again
            match = after


def call_off_unbegun(match: MatchSnapshot, seats: Sequence[int]) -> bool:
    """Calls a match off where the first move of one of these seats has not come; whether it was.

    Not where somebody moved, or was given time, since it was read.
    """
    if not set(seats) & set(match.awaited):
        return False
    with transaction.atomic():
        row, stored = joining.locked(match.id)
        absent = [seat for seat in stored if seat.awaited and seat.index in seats]
        if row.status != Match.Status.ACTIVE or row.updated_at != match.updated_at or not absent:
            return False
        for seat in absent:
            seat.timed_out = True
            seat.save(update_fields=["timed_out"])
        row.rated = False
        joining.abort(row, stored)
    return True


def _is_only_program(match: MatchSnapshot, seats: Sequence[int]) -> bool:
    """Whether all late seats belong to bot accounts, for which a stand-in takes over."""
    late = {user for seat in seats if (user := match.seats[seat].user_id) is not None}
    return bool(late) and User.objects.filter(pk__in=late, is_bot=True).count() == len(late)


def resign_silent(*, match_id: UUID, seat: int, version: int) -> None:
    """Resigns a seat that has kept others waiting, unless somebody has moved since."""
    match = get_match(match_id)
    if match.version == version and seat in match.to_act:
        _resign_seat(match, seat, timed_out=True)


def _resign_seat(match: MatchSnapshot, seat: int, *, timed_out: bool) -> MatchSnapshot | None:
    if match.status != "active":
        raise MatchNotActive("The match is not running.")
    if match.seats[seat].resigned_at is not None:
        raise SeatIsOut("This seat has resigned already.")
    if seat in match.rules.retired_seats(match.state):
        raise SeatIsOut
    transition = Transition(match)
    transition.resign(seat, timed_out=timed_out)
    after = commit(transition)
    if after is not None:
        announce(after)
    return after
