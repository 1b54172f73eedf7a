"""Judging a move: key, seat, version, time and rules. Nothing is written here."""

from dataclasses import dataclass, field
from uuid import UUID

from django.utils import timezone

from cardroom.rules.shuffles import Sealed
from cardroom.rules.values import MoveRefused, RulesError
from config.telemetry.work import request_id
from games.matches.leaving.resigning import resign_or_hand_over
from games.matches.refusals import (
    KeyOfAnotherMove,
    MatchNotActive,
    NotKnown,
    SeatHandedOver,
    StaleVersion,
    TimeIsUp,
    refused_by_rules,
)
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.selectors.access import Caller, MatchAccess, Wanted
from games.matches.selectors.callers import own_seat, visible
from games.matches.selectors.folded import answered_when_folded
from games.matches.selectors.history import choices_at, match_at
from games.matches.selectors.log import LogEntry, log_entries
from games.matches.snapshot import MatchSnapshot
from games.matches.writing.deadlines import late_seats
from games.matches.writing.planning import apply_plans
from games.matches.writing.transition import Transition


@dataclass(frozen=True)
class MoveRequest:
    """A move that a caller wants to make; ``seat`` and ``key`` as for ``moves.play``."""

    match_id: UUID
    caller: Caller
    move: str
    version: int
    seat: int | None = None
    key: str | None = None
    request_id: str = field(default_factory=request_id, compare=False)

    @property
    def wanted(self) -> Wanted:
        return Wanted(self.match_id, self.caller, self.key)


@dataclass(frozen=True)
class AppliedMove:
    """The match after a move and the seat that made it."""

    match: MatchSnapshot
    user: UUID
    seat: int


def judge(
    request: MoveRequest, access: MatchAccess | None, lost_at: int | None = None
) -> Transition | AppliedMove:
    """The moves to write, or the first answer to the same key; raises ``Refusal``.

    ``lost_at`` is the version at which the move was being written when the connection was lost.
    """
    match, user = visible(access)
    answered = access.answered_version if access is not None else None
    if answered is None and request.key and match.is_over:
        answered = answered_when_folded(match, match.seats_of(user), request.key)
    if answered is not None:
        return _first_answer(match, user, answered, request.move, request.seat)
    if lost_at is not None and match.version != lost_at:
        raise NotKnown
    own = own_seat(match, user, request.seat, request.version)
    _judge_version(match, user, own, request.version)
    _judge_time(match, own)
    return _apply(match, Caller(user, request.caller.digest, request.caller.scope), own, request)


def _judge_version(match: MatchSnapshot, user: UUID, seat: int, version: int) -> None:
    if match.status != "active":
        raise MatchNotActive("The match is not running; no move can be played.")
    if version != match.version and not _has_the_same_choice(match, seat, version):
        raise StaleVersion(match, user)


def _judge_time(match: MatchSnapshot, seat: int) -> None:
    """A move after its deadline does not count, even if the deadline has not been enforced yet."""
    if match.deadline_at is None or match.deadline_at > (now := timezone.now()):
        return
    if seat in late_seats(match, now):
        resign_or_hand_over(match_id=match.id)
        raise TimeIsUp


def _has_the_same_choice(match: MatchSnapshot, seat: int, version: int) -> bool:
    """Seats that act at once do not collide.

    A move meant for an earlier version stands if only other seats moved since then and left this
    seat the choice that it had.
    """
    if version > match.version or seat not in match.to_act:
        return False
    return choices_at(match, match.version)[seat].version <= version


def _apply(match: MatchSnapshot, caller: Caller, seat: int, request: MoveRequest) -> Transition:
    if match.seats[seat].resigned_at is not None:
        raise MatchNotActive("This seat has resigned; a bot plays it on.")
    if match.seats[seat].stand_in:
        raise _handed_over(match.seats[seat])
    transition = Transition(match, caller, request.request_id)
    try:
        transition.play(seat, request.move, request.key)
    except MoveRefused as error:
        raise refused_by_rules(error, match, seat) from None
    apply_plans(transition)
    return transition


def _handed_over(seat: SeatSnapshot) -> SeatHandedOver:
    if not seat.handed_by_clock:
        return SeatHandedOver()
    return SeatHandedOver("Your time was up, so a bot plays this seat. Take it back to play on.")


def _first_answer(
    match: MatchSnapshot, user: UUID, version: int, move: str, seat: int | None
) -> AppliedMove:
    """The match right after the ply that the key made, if it was the same move and seat."""
    entry = next(log_entries(match, after=version - 1, until=version))
    if seat not in (None, entry.seat) or not _is_spelling_of(match, entry, move):
        raise KeyOfAnotherMove
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
