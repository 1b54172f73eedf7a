"""The one door of every move of a person.

How a move goes, from the socket and back to it:

1. **Door.** The express door (`games.api.express`) takes moves that are sent with a key;
   everything else comes by Django's views. Both call this module and nothing below it.
2. **Batcher** (`games.matches.batcher`, behind the express door). Requests that wait for a free
   lane go together: at most one of a match, and none of a match whose write is on its way.
3. **Judging** (here and nowhere else) by a match that the process keeps, or by one
   SELECT for all that it does not keep: key, seat, version, time, rules. Nothing is written yet.
4. **Writing** (`games.matches.commit` and nowhere else). One statement for all; each match is
   written only where version, time of change, key, owner and idempotency key are as judged.
5. **Answer**, after the commit. The announcement goes to another thread; nobody waits for it.

Invariants:

* Of two moves for one version one is written: the version is part of the write's condition.
* A key is applied once: the write looks for it at every seat of the caller, and an index forbids
  a second one.
* A refusal comes from what the database says now. A kept match or key only causes another read.
* A kept match never ends a match: what it may reveal then depends on matches loaded meanwhile.
* After a connection was lost in a write, each move is judged again alone. With an idempotency key
  that finds the first answer. Without one, if the match has moved, the answer is `NotKnown` (503)
  and never a conflict.
* Rows are locked in the order of the matches' ids, in every process.
* A failure of one move changes no answer of the others: after an unforeseen error, too, each move
  is judged again alone. Nothing that comes after the commit raises.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import IntegrityError
from django.utils import timezone

from cardroom.rules.shuffles import Sealed
from cardroom.rules.values import MoveRefused, RulesError
from config.postgres.connections import LOST, ReadOnly, leave_connection
from config.telemetry.work import request_id
from games.matches import refusals
from games.matches.announcements import announce
from games.matches.commit import commit_all, late_seats
from games.matches.folded import answered_when_folded
from games.matches.leaving import resign_or_hand_over
from games.matches.plans import apply_plans
from games.matches.selectors.access import Caller, MatchAccess, Wanted, find_each, find_match
from games.matches.selectors.history import choices_at, match_at, own_seat, visible
from games.matches.selectors.log import LogEntry, log_entries
from games.matches.snapshot import MatchSnapshot, SeatSnapshot
from games.matches.transition import Transition

LONGEST_READING: Final = timedelta(seconds=5)

log = structlog.get_logger(__name__)

# Judging a move: key, seat, version, time and rules. Nothing is written here.


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


def transition_of(
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
        raise refusals.NotKnown
    own = own_seat(match, user, request.seat, request.version)
    _judge_version(match, user, own, request.version)
    _judge_time(match, own)
    return _apply(match, Caller(user, request.caller.digest, request.caller.scope), own, request)


def _judge_version(match: MatchSnapshot, user: UUID, seat: int, version: int) -> None:
    if match.status != "active":
        raise refusals.MatchNotActive("The match is not running; no move can be played.")
    if version != match.version and not _has_the_same_choice(match, seat, version):
        raise refusals.StaleVersion(match, user)


def _judge_time(match: MatchSnapshot, seat: int) -> None:
    """A move after its deadline does not count, even if the deadline has not been enforced yet."""
    if match.deadline_at is None or match.deadline_at > (now := timezone.now()):
        return
    if seat in late_seats(match, now):
        resign_or_hand_over(match_id=match.id)
        raise refusals.TimeIsUp


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
        raise refusals.MatchNotActive("This seat has resigned; a bot plays it on.")
    if match.seats[seat].stand_in:
        raise _handed_over(match.seats[seat])
    transition = Transition(match, caller, request.request_id)
    try:
        transition.play(seat, request.move, request.key)
    except MoveRefused as error:
        raise refusals.refused_by_rules(error, match, seat) from None
    apply_plans(transition)
    return transition


def _handed_over(seat: SeatSnapshot) -> refusals.SeatHandedOver:
    if not seat.handed_by_clock:
        return refusals.SeatHandedOver()
    return refusals.SeatHandedOver(
        "Your time was up, so a bot plays this seat. Take it back to play on."
    )


def _first_answer(
    match: MatchSnapshot, user: UUID, version: int, move: str, seat: int | None
) -> AppliedMove:
    """The match right after the ply that the key made, if it was the same move and seat."""
    entry = next(log_entries(match, after=version - 1, until=version))
    if seat not in (None, entry.seat) or not _is_spelling_of(match, entry, move):
        raise refusals.KeyOfAnotherMove
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


# Decoded matches that a process keeps, so that a move need not read what its write checks anyway.
#
# A kept match may be old and a kept key may be revoked, so neither is ever an answer by itself:
# what is judged by them is written, or read, only where the database still has the same version
# and time of change and the key still has the same owner. What they would refuse is judged again
# by what the database has. Finished matches and open ones are not kept: their seats, their
# secrets and who may learn them change without a new version.


class SnapshotCache:
    """The ``most`` matches that were used last, and as many keys with their owners."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._matches: OrderedDict[UUID, MatchSnapshot] = OrderedDict()
        self._owners: OrderedDict[tuple[str, str | None], UUID] = OrderedDict()
        self._lock = Lock()

    def find(self, wanted: Wanted) -> MatchAccess | None:
        """The match and the owner of the caller's key, if both are kept."""
        digest, scope = wanted.caller.digest, wanted.caller.scope
        with self._lock:
            match = self._matches.get(wanted.match_id)
            owner = self._owners.get((digest, scope)) if digest else None
            if match is None or owner is None:
                return None
            self._matches.move_to_end(match.id)
            return MatchAccess(match, owner)

    def keep(self, wanted: Wanted, access: MatchAccess) -> None:
        """Keeps what was just read, unless something newer is kept and is not lost."""
        digest, scope = wanted.caller.digest, wanted.caller.scope
        with self._lock:
            if digest and access.user:
                self._put(self._owners, (digest, scope), access.user)
            kept = self._matches.get(access.match.id)
            if kept is not None and went_back(access.match, kept.version, kept.updated_at):
                kept = None
            if kept is None or _age(kept) <= _age(access.match):
                self._put(self._matches, access.match.id, access.match)
            if access.match.status != "active":
                self._matches.pop(access.match.id, None)

    def _put(self, into: "OrderedDict[Any, Any]", name: Any, value: Any) -> None:
        into[name] = value
        into.move_to_end(name)
        if len(into) > self._most:
            into.popitem(last=False)


def went_back(match: MatchSnapshot, version: int, at: datetime) -> bool:
    """Whether what was just read lacks moves that this process knows from so long ago that every
    reading since then has them: the database lost them, as a standby that was behind does when it
    takes over. The log names the match.
    """
    if match.version >= version or timezone.now() - at < LONGEST_READING:
        return False
    log.error("version_went_back", match=str(match.id), version=match.version, known=version)
    return True


def _age(match: MatchSnapshot) -> tuple[Any, ...]:
    return match.version, match.updated_at


_TRIES = 5

Verdict = AppliedMove | Exception
"""The result of a request: the exception is a refusal, or an error of this request alone."""


@dataclass
class _Case:
    """A request on its way; it is done when it has a verdict.

    ``lost_at`` is the version for which it was being written when the connection was lost.
    """

    request: MoveRequest
    verdict: Verdict | None = None
    lost_at: int | None = None


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
    (verdict,) = play_all([MoveRequest(match_id, caller, move, version, seat, key)])
    if isinstance(verdict, Exception):
        raise verdict
    return verdict


def play_all(requests: Sequence[MoveRequest], cache: SnapshotCache | None = None) -> list[Verdict]:
    """The same for different matches in one SELECT and one statement; a verdict for each.

    A request that is not done after that, for whatever reason, is judged again alone.
    """
    cases = [_Case(request) for request in requests]
    try:
        _try(cases, cache, _look(cases, cache))
    except LOST:
        leave_connection()
    except Exception as error:  # noqa: BLE001 - it is one request's, which meets it again alone
        log.warning("batch_is_split", moves=len(cases), cause=type(error).__name__)
        leave_connection()
    away: Exception | None = None
    for case in cases:
        if case.verdict is None and away is None:
            away = _settle(case, cache)
        if case.verdict is None:
            case.verdict = refusals.NotKnown() if case.lost_at is not None else away
    return [case.verdict for case in cases if case.verdict is not None]


Lookup = tuple[MatchAccess | None, bool]
"""A match for its caller, and whether the process had kept it."""


def _look(cases: Sequence[_Case], cache: SnapshotCache | None) -> list[Lookup]:
    """The matches, from the cache where it keeps the version that the move is for."""
    kept = [_kept(case.request, cache) if cache is not None else None for case in cases]
    missing = [case.request.wanted for case, one in zip(cases, kept, strict=True) if one is None]
    read = iter(find_each(missing))
    return [(next(read), False) if one is None else (one, True) for one in kept]


def _kept(request: MoveRequest, cache: SnapshotCache) -> MatchAccess | None:
    kept = cache.find(request.wanted)
    return kept if kept is not None and kept.match.version == request.version else None


def _try(cases: Sequence[_Case], cache: SnapshotCache | None, lookups: Sequence[Lookup]) -> None:
    """Judges all and writes what may be written; a case that is not done has no verdict then."""
    judged = []
    for case, (access, kept) in zip(cases, lookups, strict=True):
        draft = _draft(case, access)
        if cache is not None and access and not kept:
            cache.keep(case.request.wanted, access)
        if not isinstance(draft, Transition):
            case.verdict = None if kept else draft
        elif not (kept and draft.outcome):
            judged.append((case, draft))
    _write(judged, cache)


def _write(judged: Sequence[tuple[_Case, Transition]], cache: SnapshotCache | None) -> None:
    try:
        afters = commit_all([draft for _, draft in judged]) if judged else []
    except ReadOnly:
        raise  # nothing was written
    except LOST:
        for case, draft in judged:
            case.lost_at = draft.match.version
        raise
    except IntegrityError:
        return  # a key was applied at the same moment: its answer is there now
    except Exception as error:  # noqa: BLE001 - of one of them, and nothing was written
        if len(judged) == 1:
            judged[0][0].verdict = error
        return
    for (case, draft), after in zip(judged, afters, strict=True):
        if after is not None and draft.caller.user is not None:
            case.verdict = AppliedMove(after, draft.caller.user, draft.plies[0].seat or 0)
            if cache is not None:
                cache.keep(case.request.wanted, MatchAccess(after, draft.caller.user))
    causes = {draft.match.id: case.request.request_id for case, draft in judged}
    announce(*(after for after in afters if after is not None), causes=causes)


def _settle(case: _Case, cache: SnapshotCache | None) -> Exception | None:
    """Judges by what the database says until there is a verdict; the error if it is unreachable."""
    for _ in range(_TRIES):
        try:
            access = find_match(*case.request.wanted)
        except LOST as error:
            leave_connection()
            return error
        except Exception as error:  # noqa: BLE001 - it is the verdict of this request alone
            case.verdict = error
            return None
        try:
            _try([case], cache, [(access, False)])
        except ReadOnly as error:
            leave_connection()
            return error
        except LOST:
            leave_connection()
        except Exception as error:
            case.verdict = error if case.lost_at is None else refusals.BrokeInTheWrite()
            log.exception("move_failed", match=str(case.request.match_id))
        if case.verdict is not None:
            return None
    case.verdict = refusals.NotKnown() if case.lost_at is not None else _gave_up(case.request)
    return None


def _gave_up(request: MoveRequest) -> Exception:
    """Somebody else moved each time."""
    try:
        match, user = visible(find_match(*request.wanted))
    except Exception as error:  # noqa: BLE001 - it is the verdict
        return error
    return refusals.StaleVersion(match, user)


def _draft(case: _Case, access: MatchAccess | None) -> Transition | Verdict:
    """The judgement: the moves to write, the first answer to the same key, or why not."""
    try:
        return transition_of(case.request, access, case.lost_at)
    except Exception as error:  # noqa: BLE001 - it is the verdict of this request alone
        return error
