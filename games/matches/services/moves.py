"""The one door of every move: a person's, a bot's, a resignation, a passed deadline."""

from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError
from django.utils import timezone

from config.refusals import NotSignedIn
from games.matches.announcements import announce
from games.matches.refusals import (
    MatchNotActive,
    NoSuchMatch,
    NotYourSeat,
    SeatIsOut,
    StaleVersion,
    refused_by_rules,
)
from games.matches.selectors.access import Caller, MatchAccess, find_match, get_match
from games.matches.selectors.history import match_at, state_at
from games.matches.selectors.log import log_entries
from games.matches.services.commit import commit
from games.matches.services.transition import Transition
from games.matches.snapshot import MatchSnapshot
from games.rules.errors import MoveRefused

_TRIES = 5


@dataclass(frozen=True)
class AppliedMove:
    """The match after a move and the seat that made it."""

    match: MatchSnapshot
    user: UUID
    seat: int


def play(
    *,
    match_id: UUID,
    caller: Caller,
    move: str,
    version: int,
    seat: int | None = None,
    key: str | None = None,
) -> AppliedMove:
    """Plays a move for the caller, exactly once; raises ``Refusal`` by cause.

    With a ``key`` the same call again gives the first answer again, once it was applied. ``seat``
    may be left out by who holds one seat, or for the one of the caller's that is to act.
    """
    for _ in range(_TRIES):
        found = find_match(match_id, caller, key)
        match, user = _visible(found)
        if found is not None and found.answered_version is not None:
            return _first_answer(match, user, found.answered_version)
        mover = _own_seat(match, user, seat)
        _judge_version(match, user, mover, version)
        transition = _apply(match, mover, move, key)
        try:
            after = commit(transition)
        except IntegrityError:
            continue  # the same key was applied at the same moment: its answer is there now
        if after is not None:
            announce(after)
            return AppliedMove(after, user, mover)
    raise StaleVersion(get_match(match_id), user)


def _visible(found: MatchAccess | None) -> tuple[MatchSnapshot, UUID]:
    if found is None:
        raise NoSuchMatch
    if found.user is None:
        raise NotSignedIn
    if not found.match.is_visible_to(found.user):
        raise NoSuchMatch
    return found.match, found.user


def _own_seat(match: MatchSnapshot, user: UUID, seat: int | None) -> int:
    own = match.seats_of(user)
    if seat is None:
        acting = [s for s in match.to_act if s in own]
        seat = next(iter(acting or own), None)
    if seat is None or seat not in own:
        raise NotYourSeat
    return seat


def _judge_version(match: MatchSnapshot, user: UUID, seat: int, version: int) -> None:
    if match.status != "active":
        raise MatchNotActive(f"The match is {match.status}; no move can be played.")
    if version != match.version and not _only_others_moved(match, seat, version):
        raise StaleVersion(match, user)


def _only_others_moved(match: MatchSnapshot, seat: int, version: int) -> bool:
    """Seats that act at once do not collide (shithead R5).

    A move meant for an earlier version stands if the seat was to act then already, still is, and
    only other seats moved in between.
    """
    if not 0 <= version < match.version or seat not in match.to_act:
        return False
    between = [entry.seat for entry in log_entries(match, after=version)]
    if seat in between:
        return False
    return seat in match.rules.to_act(state_at(match, version))


def _apply(match: MatchSnapshot, seat: int, move: str, key: str | None) -> Transition:
    if match.seats[seat].resigned_at is not None:
        raise MatchNotActive("This seat has resigned; a bot plays it on.")
    transition = Transition(match)
    try:
        transition.play(seat, move, key)
    except MoveRefused as error:
        raise refused_by_rules(error, match, seat) from None
    return transition


def _first_answer(match: MatchSnapshot, user: UUID, version: int) -> AppliedMove:
    """The match as it was right after the ply that a key made."""
    entry = next(log_entries(match, after=version - 1, until=version))
    return AppliedMove(match_at(match, version), user, entry.seat or 0)


def resign(*, match_id: UUID, caller: Caller, seat: int | None = None) -> AppliedMove:
    """Gives up a seat (FORMAT.md, Resigning), also out of turn; raises ``Refusal`` by cause."""
    for _ in range(_TRIES):
        match, user = _visible(find_match(match_id, caller))
        mover = _own_seat(match, user, seat)
        after = _resign_seat(match, mover, timed_out=False)
        if after is not None:
            return AppliedMove(after, user, mover)
    raise StaleVersion(get_match(match_id), user)


def time_out(*, match_id: UUID) -> None:
    """Resigns the people whose deadline has passed."""
    match = get_match(match_id)
    if match.deadline_at is None or match.deadline_at > timezone.now():
        return
    for seat in match.to_act:
        if match.status == "active" and not match.bot_in_control(seat):
            after = _resign_seat(match, seat, timed_out=True)
            if after is None:
                return  # somebody moved at the last moment; the next sweep looks again
            match = after


def _resign_seat(match: MatchSnapshot, seat: int, *, timed_out: bool) -> MatchSnapshot | None:
    if match.status != "active":
        raise MatchNotActive(f"The match is {match.status}.")
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
