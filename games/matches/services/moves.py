"""The one door of every move: a person's, a resignation, a passed deadline.

How a move goes, from the socket and back to it:

1. **Door.** The express door (`games.api.express`) takes moves that are sent with a key; everything
   else comes by Django's views. Both call this module and nothing below it.
2. **Batcher** (`services.batcher`, behind the express door). Asks that wait for a free lane go
   together: at most one of a match, and none of a match whose write is on its way.
3. **Judging** (`_draft`, here and nowhere else) by a match that the process keeps, or by one SELECT
   for all that it does not keep: key, seat, version, time, rules. Nothing is written yet.
4. **Writing** (`services.commit` and nowhere else). One statement for all; each match is written
   only where version, time of change, key, owner and idempotency key are as judged.
5. **Answer**, after the commit. The announcement goes to another thread; nobody waits for it.

What always holds:

* Of two moves for one version one is written: the version is part of the write's condition.
* A key is applied once: the write looks for it at every seat of the caller, and an index forbids
  a second one.
* A refusal comes from what the database says now. A kept match or key can only cause another look.
* A kept match never ends a match: what may be told then depends on matches loaded meanwhile.
* After a connection was lost in a write, each ask is judged again alone. With an idempotency key
  that finds the first answer. Without one, if the match has moved, the answer is `NotKnown` (503)
  and never a conflict.
* Rows are locked in the order of the matches' ids, in every process.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db import DatabaseError, IntegrityError
from django.utils import timezone

from config.monitoring.work import request_id
from config.postgres.connections import LOST, leave_connection
from config.refusals import NotSignedIn
from games.matches.announcements import announce
from games.matches.models import Match
from games.matches.refusals import (
    KeyReused,
    MatchNotActive,
    NoSuchMatch,
    NotKnown,
    NotYourSeat,
    SeatHandedOver,
    SeatIsOut,
    StaleVersion,
    TimeIsUp,
    refused_by_rules,
)
from games.matches.selectors.access import (
    Caller,
    MatchAccess,
    Wanted,
    find_each,
    find_match,
    get_match,
)
from games.matches.selectors.archive import answered_in_archive
from games.matches.selectors.history import choices_at, match_at
from games.matches.selectors.log import LogEntry, log_entries
from games.matches.services.commit import commit, commit_all
from games.matches.services.deadlines import late_seats
from games.matches.services.handing_over import hand_over_late
from games.matches.services.transition import Transition
from games.matches.snapshot import MatchSnapshot, SeatSnapshot
from games.matches.snapshot_cache import SnapshotCache
from games.rules.errors import MoveRefused, RulesError
from games.rules.shuffles import Sealed

_TRIES = 5


@dataclass(frozen=True)
class Ask:
    """A move that somebody wants to make; ``seat`` and ``key`` as ``play`` has them."""

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


Verdict = AppliedMove | Exception
"""What became of an ask: the exception is a refusal, or an error that concerns no other ask."""


@dataclass
class _Case:
    """An ask on its way: judged when it has a draft, done when it has a verdict.

    ``lost``: the connection was lost while the draft was written.
    """

    ask: Ask
    draft: Transition | None = None
    verdict: Verdict | None = None
    lost: bool = False


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
    (verdict,) = play_all([Ask(match_id, caller, move, version, seat, key)])
    if isinstance(verdict, Exception):
        raise verdict
    return verdict


def play_all(asks: Sequence[Ask], cache: SnapshotCache | None = None) -> list[Verdict]:
    """The same for different matches in one SELECT and one statement; a verdict for each.

    What is not done after that, for whatever reason, is judged again alone.
    """
    cases = [_Case(ask) for ask in asks]
    try:
        _try(cases, cache, _look(cases, cache))
    except LOST:
        leave_connection()
    away: Exception | None = None
    for case in cases:
        if case.verdict is None and away is None:
            away = _settle(case, cache)
        if case.verdict is None:
            case.verdict = NotKnown() if case.lost else away
    return [case.verdict for case in cases if case.verdict is not None]


Found = tuple[MatchAccess | None, bool]
"""A match for its caller, and whether it is a kept one."""


def _look(cases: Sequence[_Case], cache: SnapshotCache | None) -> list[Found]:
    """The matches, from the cache where it keeps the version that the move is for."""
    kept = [_kept(case.ask, cache) if cache is not None else None for case in cases]
    missing = [case.ask.wanted for case, one in zip(cases, kept, strict=True) if one is None]
    read = iter(find_each(missing))
    return [(next(read), False) if one is None else (one, True) for one in kept]


def _kept(ask: Ask, cache: SnapshotCache) -> MatchAccess | None:
    kept = cache.find(ask.wanted)
    return kept if kept is not None and kept.match.version == ask.version else None


def _try(cases: Sequence[_Case], cache: SnapshotCache | None, looked: Sequence[Found]) -> None:
    """Judges all and writes what may be written; who is not done then has no verdict."""
    judged = []
    for case, (found, kept) in zip(cases, looked, strict=True):
        draft = _draft(case, found)
        if cache is not None and found and not kept:
            cache.keep(case.ask.wanted, found)
        if not isinstance(draft, Transition):
            case.verdict = None if kept else draft
        elif not (kept and draft.outcome):
            case.draft = draft
            judged.append((case, draft))
    _write(judged, cache)


def _write(judged: Sequence[tuple[_Case, Transition]], cache: SnapshotCache | None) -> None:
    try:
        afters = commit_all([draft for _, draft in judged]) if judged else []
    except LOST:
        for case, _ in judged:
            case.lost = True
        raise
    except IntegrityError:
        return  # a key was applied at the same moment: its answer is there now
    except DatabaseError as error:
        if len(judged) == 1:
            judged[0][0].verdict = error
        return
    for (case, draft), after in zip(judged, afters, strict=True):
        if after is not None and draft.caller.user is not None:
            case.verdict = AppliedMove(after, draft.caller.user, draft.plies[0].seat or 0)
            if cache is not None:
                cache.keep(case.ask.wanted, MatchAccess(after, draft.caller.user))
    causes = {draft.match.id: case.ask.request_id for case, draft in judged}
    announce(*(after for after in afters if after is not None), causes=causes)


def _settle(case: _Case, cache: SnapshotCache | None) -> Exception | None:
    """Judges by what the database says until there is a verdict; the error if it is away."""
    for _ in range(_TRIES):
        try:
            found = find_match(*case.ask.wanted)
        except LOST as error:
            leave_connection()
            return error
        try:
            _try([case], cache, [(found, False)])
        except LOST:
            leave_connection()
        if case.verdict is not None:
            return None
    case.verdict = NotKnown() if case.lost else _gave_up(case.ask)
    return None


def _gave_up(ask: Ask) -> Exception:
    """Somebody else moved each time."""
    try:
        match, user = _visible(find_match(*ask.wanted))
    except Exception as error:  # noqa: BLE001 - it is the verdict
        return error
    return StaleVersion(match, user)


def _draft(case: _Case, found: MatchAccess | None) -> Transition | Verdict:
    """The judgement: what is to be written, the answer that a key had, or why not."""
    try:
        return _judge(case, found)
    except Exception as error:  # noqa: BLE001 - the verdict of this ask, and of no other one
        return error


def _judge(case: _Case, found: MatchAccess | None) -> Transition | AppliedMove:
    ask = case.ask
    match, user = _visible(found)
    answered = found.answered_version if found is not None else None
    if answered is None and ask.key and match.is_over:
        answered = answered_in_archive(match, match.seats_of(user), ask.key)
    if answered is not None:
        return _first_answer(match, user, answered, ask.move, ask.seat)
    if case.lost and case.draft and match.version != case.draft.match.version:
        raise NotKnown
    own = _own_seat(match, user, ask.seat, ask.version)
    _judge_version(match, user, own, ask.version)
    _judge_time(match, own)
    return _apply(match, replace(ask.caller, user=user), own, ask)


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
        raise MatchNotActive("The match is not running; no move can be played.")
    if version != match.version and not _has_the_same_choice(match, seat, version):
        raise StaleVersion(match, user)


def _judge_time(match: MatchSnapshot, seat: int) -> None:
    """A move after its deadline is none, even if nothing came of the deadline yet."""
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


def _apply(match: MatchSnapshot, caller: Caller, seat: int, ask: Ask) -> Transition:
    if match.seats[seat].resigned_at is not None:
        raise MatchNotActive("This seat has resigned; a bot plays it on.")
    if match.seats[seat].stand_in:
        raise _handed_over(match.seats[seat])
    transition = Transition(match, caller, ask.request_id)
    try:
        transition.play(seat, ask.move, ask.key)
    except MoveRefused as error:
        raise refused_by_rules(error, match, seat) from None
    return transition


def _handed_over(seat: SeatSnapshot) -> SeatHandedOver:
    if not seat.handed_by_clock:
        return SeatHandedOver()
    return SeatHandedOver("Your time was up, so a bot plays this seat. Take it back to play on.")


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
    """Resigns the people whose time is up, each judged by their own, or hands them to a bot.

    Where a bot makes just one move for them, that is for who can wait for it (``clocks``).
    """
    match, now = get_match(match_id), timezone.now()
    if match.deadline_at is None or match.deadline_at > now:
        return
    if match.on_timeout == Match.OnTimeout.BOT_TAKES_OVER:
        hand_over_late(match_id)
    if match.on_timeout != Match.OnTimeout.RESIGN:
        return
    for seat in late_seats(match, now):
        if match.status == "active":
            after = _resign_seat(match, seat, timed_out=True)
            if after is None:
                return  # somebody moved at the last moment; the next recovery looks again
            match = after


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
