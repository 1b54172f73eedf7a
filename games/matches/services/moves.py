"""The one door of every move: a person's, a bot's, a resignation, a passed deadline."""

from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError
from django.utils import timezone

from config.refusals import NotSignedIn
from games.matches.announcements import announce
from games.matches.refusals import (
    KeyReused,
    MatchNotActive,
    NoSuchMatch,
    NotYourSeat,
    SeatHandedOver,
    SeatIsOut,
    StaleVersion,
    TimeIsUp,
    refused_by_rules,
)
from games.matches.selectors.access import Caller, MatchAccess, find_match, get_match
from games.matches.selectors.history import choices_at, match_at
from games.matches.selectors.log import LogEntry, log_entries
from games.matches.services.commit import commit
from games.matches.services.deadlines import late_seats
from games.matches.services.transition import Transition
from games.matches.snapshot import MatchSnapshot
from games.rules.errors import MoveRefused, RulesError
from games.rules.shuffles import Sealed

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
    may be left out: then the move is for the caller's ``acting_seat`` at ``version``.
    """
    for _ in range(_TRIES):
        found = find_match(match_id, caller, key)
        match, user = _visible(found)
        if found is not None and found.answered_version is not None:
            return _first_answer(match, user, found.answered_version, move, seat)
        own = _own_seat(match, user, seat, version)
        _judge_version(match, user, own, version)
        _judge_time(match, own)
        transition = _apply(match, own, move, key)
        try:
            after = commit(transition)
        except IntegrityError:
            continue  # the same key was applied at the same moment: its answer is there now
        if after is not None:
            announce(after)
            return AppliedMove(after, user, own)
    raise StaleVersion(get_match(match_id), user)


def _visible(found: MatchAccess | None) -> tuple[MatchSnapshot, UUID]:
    if found is None:
        raise NoSuchMatch
    if found.user is None:
        raise NotSignedIn
    if not found.match.is_visible_to(found.user):
        raise NoSuchMatch
    return found.match, found.user


def _own_seat(match: MatchSnapshot, user: UUID, seat: int | None, version: int) -> int:
    """The seat that is named, else the one that the answer at this version spoke for."""
    own = match.seats_of(user)
    if seat is None:
        is_past = len(own) > 1 and 0 <= version < match.version
        seen = match_at(match, version) if is_past else match
        seat = seen.acting_seat(user)
    if seat is None or seat not in own:
        raise NotYourSeat
    return seat


def _judge_version(match: MatchSnapshot, user: UUID, seat: int, version: int) -> None:
    if match.status != "active":
        raise MatchNotActive(f"The match is {match.status}; no move can be played.")
    if version != match.version and not _has_the_same_choice(match, seat, version):
        raise StaleVersion(match, user)


def _judge_time(match: MatchSnapshot, seat: int) -> None:
    """A move after its deadline is none, even if nobody has resigned the seat yet."""
    now = timezone.now()
    if match.deadline_at is None or match.deadline_at > now:
        return
    if seat in late_seats(match, now):
        time_out(match_id=match.id)
        raise TimeIsUp


def _has_the_same_choice(match: MatchSnapshot, seat: int, version: int) -> bool:
    """Seats that act at once do not collide.

    A move meant for an earlier version stands if only other seats moved since then and left this
    seat the choice that it had.
    """
    if version > match.version or seat not in match.to_act:
        return False
    return choices_at(match, match.version)[seat].version <= version


def _apply(match: MatchSnapshot, seat: int, move: str, key: str | None) -> Transition:
    if match.seats[seat].resigned_at is not None:
        raise MatchNotActive("This seat has resigned; a bot plays it on.")
    if match.seats[seat].stand_in:
        raise SeatHandedOver
    transition = Transition(match)
    try:
        transition.play(seat, move, key)
    except MoveRefused as error:
        raise refused_by_rules(error, match, seat) from None
    return transition


def _first_answer(
    match: MatchSnapshot, user: UUID, version: int, move: str, seat: int | None
) -> AppliedMove:
    """The match as it was right after the ply that a key made, for the same move and seat."""
    entry = next(log_entries(match, after=version - 1, until=version))
    if seat not in (None, entry.seat) or not _is_spelling_of(match, entry, move):
        raise KeyReused
    return AppliedMove(match_at(match, version), user, entry.seat or 0)


def _is_spelling_of(match: MatchSnapshot, entry: LogEntry, move: str) -> bool:
    """Whether a move is recorded as this ply (several spellings may name one move)."""
    if move == entry.move:
        return True
    before, decks = match_at(match, entry.version - 1).state, Sealed(match.seed)
    try:
        step = match.rules.play(before, entry.seat or 0, move, decks)
    except RulesError:
        return False
    return step.move == entry.move


def resign(*, match_id: UUID, caller: Caller, seat: int | None = None) -> AppliedMove:
    """Gives up a seat (FORMAT.md, Resigning), also out of turn; raises ``Refusal`` by cause."""
    for _ in range(_TRIES):
        match, user = _visible(find_match(match_id, caller))
        own = _own_seat(match, user, seat, match.version)
        after = _resign_seat(match, own, timed_out=False)
        if after is not None:
            return AppliedMove(after, user, own)
    raise StaleVersion(get_match(match_id), user)


def resign_as_operator(*, match_id: UUID, seat: int) -> MatchSnapshot:
    """Resigns any seat, a bot's too; raises ``Refusal`` by cause."""
    for _ in range(_TRIES):
        after = _resign_seat(get_match(match_id), seat, timed_out=False)
        if after is not None:
            return after
    raise MatchNotActive("The match moves on too fast; try again.")


def time_out(*, match_id: UUID) -> None:
    """Resigns the people whose time is up, each judged by their own."""
    match, now = get_match(match_id), timezone.now()
    if match.deadline_at is None or match.deadline_at > now:
        return
    for seat in late_seats(match, now):
        if match.status == "active":
            after = _resign_seat(match, seat, timed_out=True)
            if after is None:
                return  # somebody moved at the last moment; the next recovery looks again
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
