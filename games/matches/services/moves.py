"""The one door of every move: a person's, a bot's, a resignation, a passed deadline."""

from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError
from django.utils import timezone

from games.matches.announcements import announce
from games.matches.refusals import (
    MatchNotActive,
    MoveNotAccepted,
    NotFound,
    NotSignedIn,
    NotYourSeat,
    SeatIsOut,
    StaleVersion,
)
from games.matches.selectors.access import Caller, MatchAccess, find_match, get_match
from games.matches.selectors.history import match_at, state_at
from games.matches.selectors.log import log_entries
from games.matches.services import commit
from games.matches.services.transition import Draft
from games.matches.snapshot import Table
from games.rules.errors import MoveRefused

_TRIES = 5


@dataclass(frozen=True)
class Played:
    """The match after a move and the seat that made it."""

    table: Table
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
) -> Played:
    """Plays a move for the caller, exactly once; raises ``Refused`` by cause.

    With a ``key`` the same call again gives the first answer again, once it was applied. ``seat``
    may be left out by who holds one seat, or for the one of the caller's that is to act.
    """
    for _ in range(_TRIES):
        found = find_match(match_id, caller, key)
        table, user = _visible(found)
        if found is not None and found.answered is not None:
            return _first_answer(table, user, found.answered)
        mover = _own_seat(table, user, seat)
        _judge_version(table, user, mover, version)
        draft = _drafted(table, mover, move, key)
        try:
            after = commit.write(draft)
        except IntegrityError:
            continue  # the same key was applied at the same moment: its answer is there now
        if after is not None:
            announce(after)
            return Played(after, user, mover)
    raise StaleVersion(get_match(match_id), user)


def _visible(found: MatchAccess | None) -> tuple[Table, UUID]:
    if found is None:
        raise NotFound
    if found.user is None:
        raise NotSignedIn
    if not found.table.is_visible_to(found.user):
        raise NotFound
    return found.table, found.user


def _own_seat(table: Table, user: UUID, seat: int | None) -> int:
    own = table.seats_of(user)
    if seat is None:
        acting = [s for s in table.to_act if s in own]
        seat = next(iter(acting or own), None)
    if seat is None or seat not in own:
        raise NotYourSeat
    return seat


def _judge_version(table: Table, user: UUID, seat: int, version: int) -> None:
    if table.status != "active":
        raise MatchNotActive(f"The match is {table.status}; no move can be played.")
    if version != table.version and not _only_others_moved(table, seat, version):
        raise StaleVersion(table, user)


def _only_others_moved(table: Table, seat: int, version: int) -> bool:
    """Seats that act at once do not collide (shithead R5).

    A move meant for an earlier version stands if the seat was to act then already, still is, and
    only other seats moved in between.
    """
    if not 0 <= version < table.version or seat not in table.to_act:
        return False
    between = [entry.seat for entry in log_entries(table, after=version)]
    if seat in between:
        return False
    return seat in table.game.to_act(state_at(table, version))


def _drafted(table: Table, seat: int, move: str, key: str | None) -> Draft:
    if table.seats[seat].resigned_at is not None:
        raise MatchNotActive("This seat has resigned; a bot plays it on.")
    draft = Draft(table)
    try:
        draft.play(seat, move, key)
    except MoveRefused as refusal:
        raise MoveNotAccepted(refusal, table, seat) from None
    return draft


def _first_answer(table: Table, user: UUID, version: int) -> Played:
    """The match as it was right after the ply that a key made."""
    entry = next(log_entries(table, after=version - 1, until=version))
    return Played(match_at(table, version), user, entry.seat or 0)


def resign(*, match_id: UUID, caller: Caller, seat: int | None = None) -> Played:
    """Gives up a seat (record.md, Resigning), also out of turn; raises ``Refused`` by cause."""
    for _ in range(_TRIES):
        table, user = _visible(find_match(match_id, caller))
        mover = _own_seat(table, user, seat)
        after = _give_up(table, mover, timed_out=False)
        if after is not None:
            return Played(after, user, mover)
    raise StaleVersion(get_match(match_id), user)


def time_out(*, match_id: UUID) -> None:
    """Resigns the people whose deadline has passed."""
    table = get_match(match_id)
    if table.deadline_at is None or table.deadline_at > timezone.now():
        return
    for seat in table.to_act:
        if table.status == "active" and not table.mover(seat):
            after = _give_up(table, seat, timed_out=True)
            if after is None:
                return  # somebody moved at the last moment; the next sweep looks again
            table = after


def _give_up(table: Table, seat: int, *, timed_out: bool) -> Table | None:
    if table.status != "active":
        raise MatchNotActive(f"The match is {table.status}.")
    if table.seats[seat].resigned_at is not None:
        raise SeatIsOut("This seat has resigned already.")
    if seat in table.game.out(table.state):
        raise SeatIsOut
    draft = Draft(table)
    draft.resign(seat, timed_out=timed_out)
    after = commit.write(draft)
    if after is not None:
        announce(after)
    return after
