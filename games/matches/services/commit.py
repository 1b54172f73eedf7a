"""The one statement of a move: the match moves on and the log grows, both or neither.

A data-modifying CTE updates the match where its version still is the one that was read; all other
parts take their match id and their time from that update, so they write nothing when it found
nothing. No lock is taken before, no transaction is opened: one round trip, one commit.
"""

# ruff: noqa: S608 - the names in the statements are our own

from typing import Any

import msgspec
from django.db import connection, models
from django.utils import timezone
from msgspec.structs import astuple

from games.matches.models import Ply, Round, Seat
from games.matches.services.deadlines import deadline_after
from games.matches.services.transition import NewPly, RoundChange, Transition
from games.matches.snapshot import MatchSnapshot, Progress, SeatProgress, columns


def _names(struct: type[msgspec.Struct], *, of: str = "") -> str:
    return ", ".join(of + column for column in columns(struct))


def _typed(model: type[models.Model], struct: type[msgspec.Struct], *, array: str = "") -> str:
    """A placeholder for each column, cast to its type: Postgres cannot tell what a null is."""
    fields = model._meta  # noqa: SLF001 - Django's own name for what is public
    types = [fields.get_field(column).db_type(connection) for column in columns(struct)]
    # Without its length: a cast would cut a text to it where an INSERT refuses.
    return ", ".join(f"%s::{str(type_).partition('(')[0]}{array}" for type_ in types)


_MATCH = f"""
WITH match AS (
    UPDATE games_match SET {", ".join(f"{name} = %s" for name in columns(Progress))}
    WHERE id = %s AND version = %s AND status = 'active'
    RETURNING id, updated_at AS at
)"""

_ROUND_CLOSED = """, closed_{number} AS (
    UPDATE games_round SET scores = %s, closed_at = match.at FROM match
    WHERE match_id = match.id AND number = %s
)"""

_ROUND_OPENED = f""", opened_{{number}} AS (
    INSERT INTO games_round (match_id, {_names(RoundChange)}, opened_at, closed_at)
    SELECT id, {_typed(Round, RoundChange)}, at, {{closed_at}} FROM match
)"""

_SEATS = f""", seats AS (
    UPDATE games_seat s SET {", ".join(f"{name} = v.{name}" for name in columns(SeatProgress)[1:])}
    FROM match, unnest({_typed(Seat, SeatProgress, array="[]")}) AS v({_names(SeatProgress)})
    WHERE s.match_id = match.id AND s.index = v.index
)"""

_PLY = f"""
INSERT INTO games_ply (match_id, {_names(NewPly)}, at)
SELECT id, {_typed(Ply, NewPly)}, at FROM match"""

_PLIES = f"""
INSERT INTO games_ply (match_id, {_names(NewPly)}, at)
SELECT id, {_names(NewPly, of="v.")}, at
FROM match, unnest({_typed(Ply, NewPly, array="[]")}) AS v({_names(NewPly)})"""


def commit(transition: Transition) -> MatchSnapshot | None:
    """Writes the moves; the match as it is then, or ``None`` if it had moved on.

    Raises ``IntegrityError`` when a ply's key was used in this match before.
    """
    before, at = transition.match, timezone.now()
    progress = transition.progress(at, deadline_after(transition, at))
    sql, values = _MATCH, [*astuple(progress), before.id, before.version]
    for round_ in transition.rounds.values():
        part, more = _round_part(round_)
        sql, values = sql + part, values + more
    if transition.seats_changed:
        sql, values = sql + _SEATS, values + _seat_values(transition)
    part, more = _ply_part(transition.plies)
    with connection.cursor() as cursor:
        cursor.execute(sql + part, values + more)
        if not cursor.rowcount:
            return None
    return before.advanced(
        progress, transition.seats, state=transition.state, outcome=transition.outcome
    )


def _round_part(round_: RoundChange) -> tuple[str, list[Any]]:
    if round_.opening_version is None:
        return _ROUND_CLOSED.format(number=round_.number), [round_.scores, round_.number]
    closed_at = "NULL" if round_.scores is None else "at"
    sql = _ROUND_OPENED.format(number=round_.number, closed_at=closed_at)
    return sql, list(astuple(round_))


def _seat_values(transition: Transition) -> list[Any]:
    names = columns(SeatProgress)
    return [[getattr(seat, name) for seat in transition.seats] for name in names]


def _ply_part(plies: list[NewPly]) -> tuple[str, list[Any]]:
    if len(plies) == 1:
        return _PLY, list(astuple(plies[0]))
    return _PLIES, [list(column) for column in zip(*map(astuple, plies), strict=True)]
