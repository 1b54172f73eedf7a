"""The one place where moves are written: one statement for the moves of one match or of many.

A data-modifying CTE updates each match where everything still is what its transition was judged by:
version, time of the last change, status, the caller's key with its owner, and that the idempotency
key was not used by the caller yet. All other parts take match and time from that update, so they
write nothing where it updated nothing. No lock is taken before, no transaction is opened: one round
trip, one commit. Matches are written in the order of their ids, so that two processes never wait
for each other.
"""

# ruff: noqa: S608 - the names in the statements are our own

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection
from msgspec.structs import astuple
from psycopg import pq

from config.clock import now_in_milliseconds
from config.postgres.rows import Rows, as_text, types_of
from config.telemetry import metrics
from games.matches.models import Match, Plan, Ply, Round, Seat
from games.matches.seat_snapshot import SeatProgress
from games.matches.snapshot import MatchSnapshot, Progress, columns
from games.matches.writing.deadlines import is_too_late, progress_at
from games.matches.writing.planning import apply_plans, plan_rows
from games.matches.writing.resting import add_rest
from games.matches.writing.transition import NewPlan, NewPly, RoundChange, Transition


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
        AND (v.key IS NULL OR NOT EXISTS (
            SELECT FROM games_ply p WHERE p.match_id = v.id AND p.key = v.key
                AND p.seat = ANY(v.own_seats::smallint[])))
), moved AS (
    UPDATE games_match m SET {_set(Progress)}, plans = v.new_plans
    FROM judged v
    WHERE m.id = ANY(ARRAY(SELECT id FROM judged)) AND m.id = v.id
        AND m.version = v.seen_version AND m.updated_at = v.seen_at AND m.status = 'active'
        AND m.plans = v.seen_plans
    RETURNING m.id, m.updated_at AS at
)"""

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
    sql = "".join(text.format(rows=kind.sql(rows)) for text, kind, rows in parts)
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
