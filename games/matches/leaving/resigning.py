"""Seats that are given up: by their people, by an operator, or because their time is up."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.matches.announcements import announce
from games.matches.leaving.handing_over import hand_over_late
from games.matches.models import Match
from games.matches.refusals import MatchNotActive, SeatIsOut, StaleVersion
from games.matches.seating import joining
from games.matches.selectors.access import Caller, find_match, get_match
from games.matches.selectors.callers import own_seat, visible
from games.matches.snapshot import MatchSnapshot
from games.matches.writing.commit import commit
from games.matches.writing.deadlines import late_seats
from games.matches.writing.transition import Transition

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
