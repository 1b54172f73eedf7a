"""How the ratings of a person went in the last year: one point a day, so that it does not say when
a match was played that nobody else may see.
"""

from datetime import UTC, datetime, time
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.utils import timezone

from games.people.curves import Curve, Point
from games.ratings.boards import find_board
from games.ratings.people.standing import standings_of
from games.ratings.scale import YEAR, rating

_DAYS: Final = """
SELECT DISTINCT ON (board, day) board, day, mean FROM (
    SELECT board, at, rated_match_id, mean, (at AT TIME ZONE 'UTC')::date AS day
    FROM ratings_ratedseat WHERE account_id = %s AND board = ANY(%s) AND at >= %s
) AS seats ORDER BY board, day, at DESC, rated_match_id DESC
"""


def curves_of_person(account: UUID) -> list[Curve]:
    """A curve for each board on which the person has played for a year."""
    newest = {str(one.board): one for one in standings_of(account)}
    points: dict[str, list[Point]] = {}
    for board, day, mean in _days(account, list(newest)):
        at = datetime.combine(day, time(), UTC)
        points.setdefault(board, []).append(Point(at, rating(mean)))
    return [_curve(board, points[board], newest[board]) for board in sorted(points)]


def _curve(text: str, points: list[Point], now: Any) -> Curve:
    board = find_board(text)
    return Curve(
        board.game,
        points,
        now.deviation,
        board.pace,
        board.sides,
        board.opponents,
        now.is_provisional,
        now.matches,
    )


def _days(account: UUID, boards: list[str]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(_DAYS, [account, boards, timezone.now() - YEAR])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
