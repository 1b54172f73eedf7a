"""The one statement of a move: the match moves on and the log grows, both or neither.

A data-modifying CTE updates the match where its version still is the one that was read; all other
parts take their match id from that update, so they write nothing when it found nothing. No lock is
taken before, no transaction is opened: one round trip, one commit.
"""

from datetime import datetime
from typing import Any

import msgspec
from django.db import connection
from django.utils import timezone

from games.matches.services.transition import NewPly, RoundChange, Transition
from games.matches.snapshot import MatchSnapshot

_encode = msgspec.json.encode

_MOVED = """
WITH moved AS (
    UPDATE games_match SET state = %s, version = %s, round = %s, to_act = %s, shuffles_used = %s,
        bot_due_at = %s, deadline_at = %s, updated_at = %s, status = %s, outcome = %s,
        finished_at = %s
    WHERE id = %s AND version = %s AND status = 'active'
    RETURNING id
)"""

_CLOSED = """, closed_{number} AS (
    UPDATE games_round SET scores = %s, closed_at = %s FROM moved
    WHERE match_id = moved.id AND number = %s
)"""

_OPENED = """, opened_{number} AS (
    INSERT INTO games_round (match_id, number, opening_version, opening_state, decks, opened_at,
        scores, closed_at)
    SELECT id, %s::int, %s::int, %s::bytea, %s::bytea, %s::timestamptz, %s::int[],
        %s::timestamptz FROM moved
)"""

_SEATED = """, seated AS (
    UPDATE games_seat s SET points = v.points, place = v.place, resigned_at = v.resigned_at,
        timed_out = v.timed_out
    FROM moved, unnest(%s::int[], %s::int[], %s::int[], %s::int[], %s::bool[])
        AS v(index, points, place, resigned_at, timed_out)
    WHERE s.match_id = moved.id AND s.index = v.index
)"""

_PLY = """
INSERT INTO games_ply (match_id, version, seat, move, events, decks, key, at)
SELECT id, %s::int, %s::smallint, %s::text, %s::bytea, %s::bytea, %s::text, %s::timestamptz
FROM moved"""

_PLIES = """
INSERT INTO games_ply (match_id, version, seat, move, events, decks, key, at)
SELECT moved.id, v.* FROM moved, unnest(%s::int[], %s::smallint[], %s::text[], %s::bytea[],
    %s::bytea[], %s::text[], %s::timestamptz[]) AS v"""


def write(draft: Transition) -> MatchSnapshot | None:
    """Writes the draft; the table as it is then, or ``None`` if the match had moved on.

    Raises ``IntegrityError`` when a ply's key was used in this match before.
    """
    at = timezone.now()
    match = draft.after(at)
    sql, values = _MOVED, _match_values(draft.match, match)
    for round_ in draft.rounds.values():
        part, more = _round_part(round_, at)
        sql, values = sql + part, values + more
    if draft.seats_changed:
        sql, values = sql + _SEATED, values + _seat_values(match)
    part, more = _ply_part(draft, at)
    with connection.cursor() as cursor:
        cursor.execute(sql + part, values + more)
        return match if cursor.rowcount else None


def _match_values(before: MatchSnapshot, after: MatchSnapshot) -> list[Any]:
    return [
        after.state_json,
        after.version,
        after.round,
        list(after.to_act),
        after.shuffles_used,
        after.bot_due_at,
        after.deadline_at,
        after.updated_at,
        after.status,
        after.outcome_json,
        after.finished_at,
        before.id,
        before.version,
    ]


def _round_part(round_: RoundChange, at: datetime) -> tuple[str, list[Any]]:
    closed_at = at if round_.scores is not None else None
    if round_.state is None:
        sql = _CLOSED.format(number=round_.number)
        return sql, [round_.scores, closed_at, round_.number]
    sql = _OPENED.format(number=round_.number)
    opening = [round_.number, round_.opening_version, round_.state, round_.decks, at]
    return sql, [*opening, round_.scores, closed_at]


def _seat_values(match: MatchSnapshot) -> list[Any]:
    seats = match.seats
    return [
        [seat.index for seat in seats],
        [seat.points for seat in seats],
        [seat.place for seat in seats],
        [seat.resigned_at for seat in seats],
        [seat.timed_out for seat in seats],
    ]


def _ply_part(draft: Transition, at: datetime) -> tuple[str, list[Any]]:
    first = draft.match.version + 1
    rows = [_ply_values(first + n, ply, at) for n, ply in enumerate(draft.plies)]
    if len(rows) == 1:
        return _PLY, rows[0]
    return _PLIES, [list(column) for column in zip(*rows, strict=True)]


def _ply_values(version: int, ply: NewPly, at: datetime) -> list[Any]:
    return [version, ply.seat, ply.move, _encode(ply.events), ply.decks, ply.key, at]
