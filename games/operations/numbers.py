"""How it is going: people, matches, how they end, reports. All counted from rows, by no tracker.

A person counts on a day on which a match began in which they hold a seat. Days and weeks are UTC,
weeks begin on Monday.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.core.cache import cache
from django.db import connection
from django.utils import timezone

WEEKS: Final = (4, 12, 26)
SHOWN_FOR: Final = 300  # seconds


class Numbers(NamedTuple):
    slug: str
    title: str
    note: str
    columns: Sequence[str]
    rows: list[list[Any]]


_PLAYED: Final = """
WITH played AS (
    SELECT DISTINCT s.user_id, (m.started_at AT TIME ZONE 'UTC')::date AS day
    FROM games_match m JOIN games_seat s ON s.match_id = m.id
    WHERE m.id >= %(first)s AND m.started_at >= %(since)s AND s.user_id IS NOT NULL
), people AS (
    SELECT id, is_guest, (coalesce(registered_at, date_joined) AT TIME ZONE 'UTC')::date AS came
    FROM accounts_user WHERE NOT is_bot
), active AS (
    SELECT played.*, came, is_guest FROM played JOIN people ON id = user_id
)
"""
_DAYS: Final = """
SELECT day::date, coalesce(n, 0), coalesce(guests, 0), coalesce(matches, 0), coalesce(new, 0)
FROM generate_series(%(since)s::date, %(now)s::date, interval '1 day') day
LEFT JOIN (SELECT day, count(*) n, count(*) FILTER (WHERE is_guest) guests
    FROM active GROUP BY day) p USING (day)
LEFT JOIN (SELECT (started_at AT TIME ZONE 'UTC')::date AS day, count(*) matches FROM games_match
    WHERE id >= %(first)s AND started_at >= %(since)s GROUP BY 1) m USING (day)
LEFT JOIN (SELECT came AS day, count(*) new FROM people WHERE NOT is_guest AND came >= %(since)s
    GROUP BY 1) a USING (day)
ORDER BY day DESC"""
_WEEKS: Final = """
SELECT date_trunc('week', day)::date, count(DISTINCT user_id),
    count(DISTINCT user_id) FILTER (WHERE came >= date_trunc('week', day)),
    count(DISTINCT user_id) FILTER (WHERE came < date_trunc('week', day))
FROM active GROUP BY 1 ORDER BY 1 DESC"""
_COHORTS: Final = """
SELECT date_trunc('week', came)::date, count(DISTINCT id),
    count(DISTINCT id) FILTER (WHERE weeks = 1), count(DISTINCT id) FILTER (WHERE weeks = 2),
    count(DISTINCT id) FILTER (WHERE weeks = 3), count(DISTINCT id) FILTER (WHERE weeks = 4)
FROM people LEFT JOIN (SELECT user_id,
    (date_trunc('week', day)::date - date_trunc('week', came)::date) / 7 AS weeks
    FROM active) later ON user_id = id
WHERE NOT is_guest AND came >= %(since)s GROUP BY 1 ORDER BY 1 DESC"""
_MATCHES: Final = """
, kinds AS (
    SELECT m.id, m.game, m.status, m.rated, m.started_at, m.outcome,
        count(*) FILTER (WHERE s.kind = 'bot') bots, count(DISTINCT s.user_id) people,
        bool_or(s.resigned_at IS NOT NULL) given_up
    FROM games_match m JOIN games_seat s ON s.match_id = m.id
    WHERE m.id >= %(first)s GROUP BY m.id
)
SELECT game, CASE WHEN people > 1 THEN 'people' WHEN people = 0 THEN 'computers alone'
        WHEN bots > 0 THEN 'against computers' ELSE 'at one device or alone' END AS kind,
    count(*), count(*) FILTER (WHERE rated AND started_at IS NOT NULL),
    count(*) FILTER (WHERE status = 'finished' AND NOT given_up),
    count(*) FILTER (WHERE status = 'finished' AND given_up),
    count(*) FILTER (WHERE status = 'aborted' AND started_at IS NOT NULL),
    count(*) FILTER (WHERE status = 'aborted' AND started_at IS NULL),
    count(*) FILTER (WHERE status IN ('open', 'active'))
FROM kinds GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"""
_REPORTS: Final = """
SELECT date_trunc('week', at AT TIME ZONE 'UTC')::date, reason, count(*),
    count(resolved_at),
    round(extract(epoch FROM percentile_cont(0.5) WITHIN GROUP (
        ORDER BY resolved_at - at)) / 3600)
FROM operations_playerreport WHERE at >= %(since)s GROUP BY 1, 2 ORDER BY 1 DESC, 2"""

_TABLES: Final = (
    ("days", "By day", "", ("Day", "People", "Guests of them", "Matches", "New accounts"), _DAYS),
    ("weeks", "By week", "", ("Week of", "People", "New", "Returning"), _WEEKS),
    (
        "cohorts",
        "Who comes back",
        "Of those who signed up in a week, how many play in each of the next weeks.",
        ("Signed up", "People", "1 later", "2 later", "3 later", "4 later"),
        _COHORTS,
    ),
    (
        "matches",
        "Matches, and how they end",
        "Given up: a side resigned, or its time was up.",
        (
            *("Game", "Who plays", "Matches", "Rated", "Played out", "Given up"),
            *("Called off", "Never begun", "Not over"),
        ),
        _MATCHES,
    ),
    (
        "reports",
        "Reports",
        "",
        ("Week of", "Reason", "Reports", "Resolved", "Median hours"),
        _REPORTS,
    ),
)


def tables(weeks: int) -> list[Numbers]:
    """Of the last so many weeks, at most some minutes old; five statements."""
    key = f"operations:numbers:{weeks}"
    rows = cache.get_or_set(key, lambda: _count(weeks), SHOWN_FOR) or _count(weeks)
    return [
        Numbers(slug, title, note, columns, counted)
        for (slug, title, note, columns, _), counted in zip(_TABLES, rows, strict=True)
    ]


def _count(weeks: int) -> list[list[list[Any]]]:
    now = timezone.now()
    monday = (now - timedelta(days=now.weekday(), weeks=weeks - 1)).date()
    since = datetime.combine(monday, datetime.min.time(), UTC)
    # A match that waits for players begins later than its id says.
    first = UUID(int=int(since.timestamp() * 1000) << 80)
    values = {"since": since, "now": now, "first": first}
    with connection.cursor() as cursor:
        return [_rows(cursor, sql, values) for *_, sql in _TABLES]


def _rows(cursor: Any, sql: str, values: dict[str, Any]) -> list[list[Any]]:
    cursor.execute(_PLAYED + sql, values)
    return [[_plain(value) for value in row] for row in cursor.fetchall()]


def _plain(value: Any) -> int | str:
    """As the cache keeps it."""
    return str(value) if isinstance(value, date | str) else int(value or 0)
