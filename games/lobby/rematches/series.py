"""A series: rematches of rematches, and how often each player won.

A match belongs to it from the moment it is asked for. Matches that are finished count, and only
those in which everybody sat as in the match that is looked at: a host may give a seat away.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import connection

from games.lobby.models import SeriesMatch
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.snapshot import MatchSnapshot

_LINE: Final = """
WITH RECURSIVE up AS (
    SELECT id, previous_id, 0 AS back FROM games_match WHERE id = %s
    UNION ALL
    SELECT m.id, m.previous_id, up.back + 1 FROM games_match m JOIN up ON m.id = up.previous_id
    WHERE NOT EXISTS (SELECT FROM lobby_seriesmatch known WHERE known.match_id = up.id)
)
SELECT up.id, known.series, known.turned FROM up
LEFT JOIN lobby_seriesmatch known ON known.match_id = up.id ORDER BY up.back DESC
"""

_PLAYED: Final = """
SELECT one.turned, array_agg(s.place = 1 ORDER BY s.index),
    array_agg(CASE s.kind WHEN 'bot' THEN s.bot WHEN 'local' THEN s.user_id::text || s.name
        ELSE s.user_id::text END ORDER BY s.index)
FROM lobby_seriesmatch one
JOIN games_match m ON m.id = one.match_id AND m.status = 'finished'
JOIN games_seat s ON s.match_id = one.match_id
WHERE one.series = %s GROUP BY one.match_id, one.turned
"""


@dataclass(frozen=True)
class Series:
    """``wins`` by seat of the match that is looked at, in the finished ones of ``matches``."""

    id: UUID
    matches: int
    draws: int
    wins: tuple[int, ...]


def note(match: MatchSnapshot) -> None:
    """Notes that a match goes on with the series of the one before. Again changes nothing."""
    if match.previous_id is None:
        return
    with connection.cursor() as cursor:
        cursor.execute(_LINE, [match.id])
        line = cursor.fetchall()
    first, series, turned = line[0]
    start, series = turned or 0, series or first
    rows = [SeriesMatch(match_id=id_, series=series, turned=start + n)
            for n, (id_, *_) in enumerate(line)]  # fmt: skip
    SeriesMatch.objects.bulk_create(rows, ignore_conflicts=True)


def series_of(match: MatchSnapshot) -> Series | None:
    """The series that a match belongs to, if one of its matches is finished."""
    if match.previous_id is None and not match.is_over:
        return None
    row = SeriesMatch.objects.filter(match=match.id).first()
    return _counted(row, match) if row else None


def _counted(row: SeriesMatch, match: MatchSnapshot) -> Series | None:
    with connection.cursor() as cursor:
        cursor.execute(_PLAYED, [row.series])
        played: list[tuple[int, list[bool], list[str]]] = cursor.fetchall()
    holders = [*map(_holder, match.seats)]
    results = [
        _moved_on(won, row.turned - turned)
        for turned, won, held in played
        if _moved_on(held, row.turned - turned) == holders
    ]
    if not results:
        return None
    decided = [won for won in results if not all(won)]
    wins = tuple(sum(won[seat] for won in decided) for seat in range(len(holders)))
    return Series(row.series, len(results), len(results) - len(decided), wins)


def _holder(seat: SeatSnapshot) -> str | None:
    """As the statement names the holder of a seat."""
    if seat.kind == "bot":
        return seat.bot
    return f"{seat.user_id or seat.invited_id}{seat.name if seat.kind == 'local' else ''}"


def _moved_on(by_seat: Sequence[Any], times: int) -> list[Any]:
    """The same as seen after so many rematches: what was at seat 1 is at seat 0 after one."""
    step = times % len(by_seat)
    return [*by_seat[step:], *by_seat[:step]]
