"""Ending a match in which somebody is absent: claiming it, or calling it off.

The absent person's return and these two exclude each other: a claim is written only where the match
is at the version that was judged, as a move is; calling off holds the row and looks again.
"""

from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.services.locking import check_may_play
from games.idle.refusals import NotAbsent
from games.idle.selectors import absent_seats, may_end
from games.matches.announcements import announce
from games.matches.refusals import MatchNotActive, NotYourSeat
from games.matches.seating import joining
from games.matches.selectors.access import Caller, find_match, snapshot_of
from games.matches.selectors.callers import visible
from games.matches.snapshot import MatchSnapshot
from games.matches.writing.commit import commit
from games.matches.writing.transition import Transition

_TRIES: Final = 5  # each time somebody moved first


def claim(*, match_id: UUID, user: User) -> MatchSnapshot:
    """The absent lose by time; among more than two sides computers play their seats on.

    Again it is the match as it ended. Raises ``Refusal`` by cause.
    """
    for _ in range(_TRIES):
        match, _user = visible(find_match(match_id, Caller(user=user.id)))
        if _is_done(match, user, "timeout"):
            return match
        _judge(match, user)
        check_may_play(user.id)
        after = commit(_resigned(match))
        if after is not None:
            announce(after)
            return after
    raise NotAbsent


@transaction.atomic
def call_off(*, match_id: UUID, user: User) -> MatchSnapshot:
    """Nobody wins. Again it is the match as it ended. Raises ``Refusal`` by cause."""
    row, seats = joining.locked_match(match_id, user)
    match = snapshot_of(row, seats)
    if _is_done(match, user, "aborted"):
        return match
    _judge(match, user)
    check_may_play(user.id)
    return joining.abort(row, seats)


def _is_done(match: MatchSnapshot, user: User, reason: str) -> bool:
    ended = match.outcome is not None and match.outcome.reason == reason
    return ended and bool(match.seats_of(user.id))


def _judge(match: MatchSnapshot, user: User) -> None:
    if not match.seats_of(user.id):
        raise NotYourSeat("Only who plays in this match can end it.")
    if match.status != "active":
        raise MatchNotActive
    if not may_end(match, user.id, timezone.now()):
        raise NotAbsent


def _resigned(match: MatchSnapshot) -> Transition:
    transition = Transition(match)
    for seat in absent_seats(match, timezone.now()):
        if not transition.outcome:
            transition.resign(seat, timed_out=True)
    return transition
