"""Pairs who may play for one of them: many quick resignations between the same two.

A person who resigns one rated match after another early, to the same opponent, gives that one
points. It proves nothing: an operator reads the matches, and takes them out of the ratings.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.utils import timezone

SINCE: Final = timedelta(days=30)
LEAST: Final = 4  # quick resignations
QUICK: Final = 12  # plies of a match at its resignation
MOST: Final = 100

_PAIRS: Final = """
WITH quick AS (
    SELECT least(one.account_id, other.account_id) AS a,
        greatest(one.account_id, other.account_id) AS b,
        one.account_id AS resigned, m.match_id, m.at
    FROM ratings_ratedmatch m
    JOIN games_match g ON g.id = m.match_id AND g.version <= %s
    JOIN ratings_ratedseat one ON one.rated_match_id = m.match_id
    JOIN ratings_ratedseat other ON other.rated_match_id = m.match_id
        AND other.account_id <> one.account_id
    JOIN games_seat s ON s.match_id = m.match_id AND s.index = one.seat
        AND s.resigned_at IS NOT NULL AND NOT s.timed_out
    WHERE m.at > %s AND m.annulled_at IS NULL AND m.board LIKE '%%/people'
)
SELECT a, b, count(DISTINCT match_id), count(DISTINCT match_id) FILTER (WHERE resigned = a),
    max(at), array_agg(DISTINCT match_id)
FROM quick GROUP BY a, b HAVING count(DISTINCT match_id) >= %s
ORDER BY 3 DESC, 5 DESC LIMIT %s
"""


class Pair(NamedTuple):
    """``by_one`` of the ``resignations`` are the first person's."""

    one: UUID
    other: UUID
    resignations: int
    by_one: int
    last: datetime
    matches: Sequence[UUID]

    @property
    def by_other(self) -> int:
        return self.resignations - self.by_one


def suspicious_pairs() -> list[Pair]:
    """Those of the last month, the most resignations first."""
    with connection.cursor() as cursor:
        cursor.execute(_PAIRS, [QUICK, timezone.now() - SINCE, LEAST, MOST])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return [Pair(*row) for row in rows]
