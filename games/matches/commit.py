"""The changes that a transition makes in the database, in one statement, with its deadlines.

A data-modifying CTE updates each match where everything still is what its transition was judged by:
version, time of the last change, status, the caller's key with its owner, and that the idempotency
key was not used by the caller yet. All other parts take match and time from that update, so they
write nothing where it updated nothing. No lock is taken before, no transaction is opened: one round
trip, one commit. Matches are written in the order of their ids, so that two processes never wait
for each other.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection
from msgspec.structs import astuple
from psycopg import pq

from config.clock import now_in_milliseconds
from config.postgres.arrays import Rows, as_text, types_of
from config.telemetry import metrics
from games.matches.models import Match, Plan, Ply, Round, Seat
from games.matches.plans import apply_plans, plan_rows
from games.matches.resting import add_rest
from games.matches.selectors.access import snapshot_of
from games.matches.selectors.history import Choice, choices_at
from games.matches.snapshot import MatchSnapshot, Progress, SeatProgress, columns
from games.matches.time_bank import Banks
from games.matches.transition import NewPlan, NewPly, RoundChange, Transition

# The deadlines of the people to act: each has the full time for each choice, or a bank.
#
# The match row keeps the deadline that ends first. With a limit for a move those of the other
# seats are not stored: since when a seat has its choice follows from the log (``choices_at``),
# and what it has beyond the limit for that choice stands in its row. The log is read only where
# it must be: several people have to act in a match with a limit, and their times began at
# different plies. With banks of time each seat's deadline stands in the row, and is written by
# the statement of the move.


def progress_at(transition: Transition, at: datetime) -> Progress:
    """The columns of the match once these moves are written at this time, clocks and all."""
    if transition.match.clock_json is None:
        return transition.progress(at, deadline_after(transition, at))
    banks = _banks_after(transition, at)
    awaited = [seat.index for seat in transition.seats if seat.awaited]
    return transition.progress(at, banks.deadline(awaited), banks.encode())


def is_too_late(transition: Transition, at: datetime) -> bool:
    """Whether the bank of the person who moves is empty at the time that would be written."""
    match = transition.match
    if match.clock_json is None or match.deadline_at is None or transition.caller.user is None:
        return False
    ends = match.banks.ends_of([transition.plies[0].seat or 0]) if match.banks else {}
    return any(end <= at for end in ends.values())


def _banks_after(transition: Transition, at: datetime) -> Banks:
    """Each person who moved is charged; a roll-back gives everybody a full bank again."""
    match, people = transition.match, transition.people_to_act
    banks = match.banks or Banks(0)
    moved = {ply.seat for ply in transition.plies if ply.seat is not None}
    if any(ply.seat is None for ply in transition.plies):
        return banks.terms.begun(banks.people, len(match.seats), people, at)
    if match.deadline_at is None:
        banks = banks.stopped()
    goes_on = moved if match.rules.time_goes_on(transition.state) else ()
    return banks.after(people, moved, goes_on, at)


def deadline_after(transition: Transition, at: datetime) -> datetime | None:
    """The match's deadline once these moves are written at this time."""
    match = transition.match
    if match.turn_seconds is None and match.deadline_at is None:
        return None
    people = transition.people_to_act
    unchanged = [seat for seat in people if seat in transition.unchanged]
    begun = _first_begun(transition, [seat for seat in people if seat not in unchanged], at)
    if not unchanged:
        return begun
    kept = _first_unchanged(transition, unchanged)
    return min(filter(None, (begun, kept)), default=None)


def _first_begun(transition: Transition, seats: Sequence[int], at: datetime) -> datetime | None:
    """The first deadline of the seats whose choice begins with these moves."""
    extra = [
        transition.seats[seat].extra_at(transition.version, transition.version) for seat in seats
    ]
    usual = transition.match.next_deadline(at for _ in seats)
    return usual + timedelta(seconds=min(extra)) if usual else None


def _first_unchanged(transition: Transition, unchanged: Sequence[int]) -> datetime | None:
    """The first deadline of the seats whose choice is what it was."""
    match = transition.match
    as_usual = match.deadline_at == match.next_deadline([match.updated_at])
    if as_usual and not match.counts_days:
        return match.deadline_at  # the time of all began with the last ply
    if unchanged == match.people_to_act:
        return match.deadline_at  # it is that of one of them
    choices = choices_at(match, match.version)
    ends = (_deadline(match, seat, choices[seat]) for seat in unchanged)
    return min(filter(None, ends), default=None)


def current_deadline(match: MatchSnapshot) -> datetime | None:
    """The match's deadline by its log and seats, after another person or bot took over a seat."""
    if not match.has_limit or not match.people_to_act:
        return match.deadline_at if match.people_to_act else None
    return min(deadlines(match).values(), default=None)


def deadlines(match: MatchSnapshot) -> dict[int, datetime]:
    """The deadline of each of the people to act, by seat."""
    if match.banks is not None:
        return match.banks.ends_of(match.people_to_act, match.awaited)
    choices = choices_at(match, match.version)
    ends = ((seat, _deadline(match, seat, choices[seat])) for seat in match.people_to_act)
    return {seat: until for seat, until in ends if until is not None}


def late_seats(match: MatchSnapshot, now: datetime) -> Iterator[int]:
    """The seats of the people whose time is up."""
    yield from (seat for seat, until in deadlines(match).items() if until <= now)


def extended(deadline: datetime, by: timedelta, now: datetime) -> datetime:
    """A deadline with time added: to what is left of it, or from now on if it has passed."""
    return max(deadline, now) + by


def give_all_until(row: Match, seats: Sequence[Seat], until: Mapping[int, datetime]) -> None:
    """Gives each of these seats this deadline for the choice that it has now.

    Writes the seats; the caller writes the row, whose ``deadline_at`` and ``clock`` it sets.
    """
    match = snapshot_of(row, seats)
    if match.banks is not None:
        banks = match.banks if row.deadline_at else match.banks.stopped()
        row.clock = banks.running_until(until, match.awaited).encode()
    else:
        for index, end in until.items():
            give_until(match, seats[index], end)
            seats[index].save(update_fields=["extra_seconds", "extra_version"])
    row.deadline_at = current_deadline(snapshot_of(row, seats)) if until else None


def give_until(match: MatchSnapshot, seat: Seat, until: datetime) -> None:
    """Sets the seat's row to have this deadline for the choice that it has now."""
    choice = choices_at(match, match.version)[seat.index]
    usual = choice.since + timedelta(seconds=match.turn_seconds or 0)
    seat.extra_seconds = ceil((until - usual).total_seconds())
    seat.extra_version = choice.timed_version


def _deadline(match: MatchSnapshot, seat: int, choice: Choice) -> datetime | None:
    """Without a limit only an operator sets one, for all who are to act."""
    usual = match.next_deadline([choice.since])
    if usual is None:
        return match.deadline_at
    extra = match.seats[seat].extra_at(choice.timed_version, match.version)
    return usual + timedelta(seconds=extra)


# ruff: noqa: S608 - the names in the statements are our own


def _set(struct: type[msgspec.Struct], *left_out: str) -> str:
    """An assignment for each column; what travelled as text is cast back."""
    arrays = {"to_act": "::smallint[]"}
    names = [name for name in columns(struct) if name not in left_out]
    return ", ".join(f"{name} = v.{name}{arrays.get(name, '')}" for name in names)


def _names(struct: type[msgspec.Struct], *, of: str = "") -> str:
    return ", ".join(of + column for column in columns(struct))


_JUDGED: Final = {
    "id": "uuid",
    "seen_version": "integer",
    "seen_at": "timestamp with time zone",
    "seen_plans": "integer",
    "new_plans": "integer",
    "digest": "text",
    "scope": "text",
    "owner": "uuid",
    "key": "text",
    "own_seats": "text",
}
_MATCHES = Rows(_JUDGED | types_of(Match, columns(Progress)))
_CLOSED = Rows({"match_id": "uuid"} | types_of(Round, ["number", "scores"]))
_OPENED = Rows({"match_id": "uuid"} | types_of(Round, columns(RoundChange)))
_SEATS = Rows({"match_id": "uuid"} | types_of(Seat, columns(SeatProgress)))
_PLANS = Rows({"match_id": "uuid"} | types_of(Plan, columns(NewPlan)))
_PLIES = Rows({"match_id": "uuid"} | types_of(Ply, columns(NewPly)))

# Callers and keys are looked up once each and matches by their ids, whatever Postgres assumes about
# tables that were empty a moment ago.
_MOVED_SQL = f"""
WITH judged AS MATERIALIZED (
    SELECT v.* FROM {{rows}}
    WHERE (v.digest IS NULL OR EXISTS (
            SELECT FROM accounts_key k JOIN accounts_user u ON u.id = k.user_id
            WHERE k.digest = v.digest AND k.user_id = v.owner AND v.scope = ANY(k.scopes)
                AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.is_active))
        {{keys}}
), moved AS (
    UPDATE games_match m SET {_set(Progress)}, plans = v.new_plans
    FROM judged v
    WHERE m.id = ANY(ARRAY(SELECT id FROM judged)) AND m.id = v.id
        AND m.version = v.seen_version AND m.updated_at = v.seen_at AND m.status = 'active'
        AND m.plans = v.seen_plans
    RETURNING m.id, m.updated_at AS at
)"""

# Left out where no move has a key: it opens every partition of the plies.
_KEYS_ARE_NEW: Final = """AND (v.key IS NULL OR NOT EXISTS (
            SELECT FROM games_ply p WHERE p.match_id = v.id AND p.key = v.key
                AND p.seat = ANY(v.own_seats::smallint[])))"""

_CLOSED_SQL = """, closed AS (
    UPDATE games_round r SET scores = v.scores::integer[], closed_at = moved.at
    FROM moved, {rows}
    WHERE v.match_id = moved.id AND r.match_id = moved.id AND r.number = v.number
        AND r.undone_at IS NULL
)"""

_OPENED_SQL = f""", opened AS (
    INSERT INTO games_round (match_id, {_names(RoundChange)}, opened_at, closed_at)
    SELECT moved.id, {_names(RoundChange, of="v.").replace("scores", "scores::integer[]")},
        moved.at, CASE WHEN v.scores IS NOT NULL THEN moved.at END
    FROM moved, {{rows}} WHERE v.match_id = moved.id
)"""

_SEATS_SQL = f""", seats AS (
    UPDATE games_seat s SET {_set(SeatProgress, "index")}
    FROM moved, {{rows}}
    WHERE v.match_id = moved.id AND s.match_id = moved.id AND s.index = v.index
)"""

_PLIES_SQL = f""", plies AS (
    INSERT INTO games_ply (match_id, {_names(NewPly)}, at)
    SELECT moved.id, {_names(NewPly, of="v.")}, moved.at
    FROM moved, {{rows}} WHERE v.match_id = moved.id
)"""


_PLANS_SQL = """, planned AS (
    UPDATE games_plan p
    SET steps = v.steps, dropped = v.dropped, dropped_version = v.dropped_version
    FROM moved, {rows}
    WHERE v.match_id = moved.id AND p.match_id = moved.id AND p.seat = v.seat
)"""


def commit(transition: Transition) -> MatchSnapshot | None:
    """Writes the moves of one match; the match as it is then, or ``None`` if it had moved on."""
    return commit_all([transition])[0]


def commit_all(transitions: Sequence[Transition]) -> list[MatchSnapshot | None]:
    """The same for different matches in one statement, each written or not for itself.

    The time that is written is the one by which clocks are charged: a move whose person has no time
    left then is not written. Raises ``IntegrityError`` when two plies of a seat have the same key.
    Whatever it raises, nothing is written, unless the connection is lost: nothing follows the
    statement that could fail.
    """
    for transition in transitions:
        apply_plans(transition)
    at = now_in_milliseconds()
    add_rest(transitions, at)
    progress = [progress_at(t, at) for t in transitions]
    in_time = [
        one for one in zip(transitions, progress, strict=True) if not is_too_late(one[0], at)
    ]
    afters = [_after(one, new) for one, new in zip(transitions, progress, strict=True)]
    written = _write(sorted(in_time, key=lambda one: one[0].match.id)) if in_time else set()
    for transition in transitions:
        if transition.match.id in written:
            by_person, plies = transition.caller.user is not None, len(transition.plies)
            metrics.moved(transition.match.game, by_person=by_person, plies=plies)
    return [after if after.id in written else None for after in afters]


def _write(ordered: Sequence[tuple[Transition, Progress]]) -> set[UUID]:
    """The ids of the matches that were written."""
    parts = [part for part in _parts(ordered) if part[2]]
    keys = _KEYS_ARE_NEW if any(t.plies[0].key for t, _ in ordered) else ""
    sql = "".join(text.format(rows=kind.sql(rows), keys=keys) for text, kind, rows in parts)
    values = [value for _, kind, rows in parts for value in kind.values(rows)]
    with connection.cursor() as cursor:
        cursor.cursor.format = pq.Format.BINARY
        cursor.execute(sql + "\nSELECT id FROM moved", values)
        return {row[0] for row in cursor.fetchall()}


def _after(transition: Transition, progress: Progress) -> MatchSnapshot:
    return transition.match.advanced(
        progress,
        transition.seats,
        state=transition.state,
        outcome=transition.outcome,
        plans=transition.plans,
    )


StatementPart = tuple[str, Rows, list[tuple[Any, ...]]]


def _parts(writes: Sequence[tuple[Transition, Progress]]) -> list[StatementPart]:
    """The parts of the statement with the rows of each; those without any are left out."""
    rounds = [(t.match.id, one) for t, _ in writes for one in t.rounds.values()]
    return [
        (_MOVED_SQL, _MATCHES, [_judged(t) + _written(progress) for t, progress in writes]),
        (
            _CLOSED_SQL,
            _CLOSED,
            [(m, r.number, as_text(r.scores)) for m, r in rounds if r.opening_version is None],
        ),
        (
            _OPENED_SQL,
            _OPENED,
            [
                (m, *astuple(r)[:-1], as_text(r.scores))
                for m, r in rounds
                if r.opening_version is not None
            ],
        ),
        (_SEATS_SQL, _SEATS, [row for t, _ in writes if t.seats_changed for row in _seats(t)]),
        (_PLANS_SQL, _PLANS, [row for t, _ in writes if t.new_plans for row in plan_rows(t)]),
        (_PLIES_SQL, _PLIES, [(t.match.id, *astuple(ply)) for t, _ in writes for ply in t.plies]),
    ]


def _judged(transition: Transition) -> tuple[Any, ...]:
    """The facts that the judgement relied on, in the order of _JUDGED."""
    match, caller, key = transition.match, transition.caller, transition.plies[0].key
    own = as_text(match.seats_of(caller.user)) if key else None
    return (
        *(match.id, match.version, match.updated_at, match.plans, transition.plans),
        *(caller.digest, caller.scope, caller.user, key, own),
    )


def _written(progress: Progress) -> tuple[Any, ...]:
    version, round_, to_act, *rest = astuple(progress)
    return (version, round_, as_text(to_act), *rest)


def _seats(transition: Transition) -> list[tuple[Any, ...]]:
    names = columns(SeatProgress)
    return [
        (transition.match.id, *(getattr(seat, name) for name in names)) for seat in transition.seats
    ]
