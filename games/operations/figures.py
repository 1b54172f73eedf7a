"""Figures for operators: those of this moment, their samples over time, numbers of the club."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, NamedTuple
from uuid import UUID

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Avg, Exists, Min, OuterRef, QuerySet
from django.db.models.functions import Extract, Floor
from django.utils import timezone

from config.counting import PATIENCE
from config.monitoring import health
from config.monitoring.installation import Figure, listeners_everywhere
from config.postgres import together
from config.postgres.together import Count
from config.tasks.duties import Duty
from config.tasks.queues import WORKERS
from config.valkey import valkey_client
from games.absent import of_installed_games
from games.matches.models import Match, Seat
from games.operations import finding
from games.operations.models import Backup, CleanUp, PlayerReport, ReplayAudit, Sample

SAMPLES_KEPT: Final = timedelta(days=30)
SHOWN_FOR: Final = 10  # seconds
RECENT_PLIES: Final = 20_000
FAILED: Final = "cardroom:failed:{:%Y-%m-%d}"

_PLIES = """
WITH recent AS (
    SELECT match_id, version, seat, at, lag(at) OVER (PARTITION BY match_id ORDER BY version) before
    FROM games_ply WHERE id > (SELECT max(id) FROM games_ply) - %s
        AND at > now() - interval '10 minutes'
)
SELECT count(*) FILTER (WHERE at > now() - interval '1 minute'),
    percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY 1000 * extract(epoch FROM at - before))
        FILTER (WHERE s.kind = 'bot' AND before IS NOT NULL)
FROM recent LEFT JOIN games_seat s ON s.match_id = recent.match_id AND s.index = recent.seat
"""


def now_figures() -> dict[str, Any]:
    """All figures of this moment, at most some seconds old."""
    figures: dict[str, Any] | None = cache.get_or_set("operations:figures", _measure, SHOWN_FOR)
    return figures or _measure()


def _measure() -> dict[str, Any]:
    now = timezone.now()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    active = Match.objects.filter(status=Match.Status.ACTIVE)
    counted = {
        "today": finding.since(Match.objects.all(), midnight),
        "active": active,
        "open": Match.objects.filter(status=Match.Status.OPEN),
        "stalled": finding.with_problem(active, "stalled"),
        "late": finding.with_problem(active, "late"),
        "owes_bot": finding.with_problem(active, "owes_bot"),
        "reports": PlayerReport.objects.filter(resolved_at=None),
    }
    oldest, *others = together.read(
        finding.due_bot_turns().only("bot_due_at")[:1],
        *_of_the_night(),
        *map(Count, counted.values()),
    )
    nightly, counts = others[: -len(counted)], others[-len(counted) :]
    moves, (p50, p99) = _plies()
    return {
        **dict(zip(counted, counts, strict=True)),
        "moves": moves,
        "bot_p50": p50,
        "bot_p99": p99,
        "unpaid": (now - oldest[0].bot_due_at).total_seconds() if oldest else 0.0,
        **_valkey_figures(now),
        **_disk(),
        **_nightly(now, *(rows[0] if rows else None for rows in nightly)),
    }


def for_prometheus() -> Iterator[Figure]:
    """The same figures; those of ``None`` are not known."""
    figures = now_figures()
    for status in ("active", "open"):
        yield Figure("cardroom_matches", "Matches", figures[status], ("status", status))
    for problem in ("stalled", "late", "owes_bot"):
        label = ("problem", problem)
        yield Figure("cardroom_matches_in_trouble", "Running matches", figures[problem], label)
    overdue = "Seconds that the oldest due bot turn is overdue"
    yield Figure("cardroom_bot_turn_overdue_seconds", overdue, figures["unpaid"])
    yield Figure("cardroom_open_reports", "Reports of players to look at", figures["reports"])
    audit = figures.get("audit") or {}  # the last one of the nightly replay
    age, faulty = audit.get("seconds", figures["installed"]), audit.get("faulty")
    yield Figure(
        "cardroom_replay_audit_age_seconds",
        "Since the last audit by replay, or since the installation",
        age,
    )
    yield Figure(
        "cardroom_replay_audit_faulty", "Matches newly found at fault by the last audit", faulty
    )
    yield from _of_backups(figures)
    used, free = figures["disk_used"], figures["disk_free"]
    yield Figure("cardroom_database_bytes", "Size of the database", figures["database"])
    yield Figure("cardroom_state_disk_used_ratio", "Of the database's disk", used)
    yield Figure("cardroom_state_disk_free_bytes", "Of the database's disk", free)


def _of_backups(figures: dict[str, Any]) -> Iterator[Figure]:
    """The figures of backups; without nightly ones nobody expects any, so the age is empty."""
    age = (figures.get("backup") or {}).get("seconds", figures["installed"])
    yield Figure(
        "cardroom_backup_age_seconds",
        "Since the last backup, or since the installation",
        age if settings.BACKUPS["nightly"] else None,
    )
    yield Figure(
        "cardroom_backup_faulty",
        "1 where the last backup, its trial or its way elsewhere failed",
        float(bool(figures.get("backup_fault"))),
    )


def _of_the_night() -> Iterator[QuerySet[Any]]:
    """The last audit that came to its end, the last clean-up, the last backup and the last one that
    was written, and the first migration.
    """
    yield ReplayAudit.objects.filter(finished_at__isnull=False)[:1]
    yield CleanUp.objects.all()[:1]
    yield Backup.objects.all()[:1]
    yield Backup.objects.exclude(name="")[:1]
    yield MigrationRecorder(connection).migration_qs.order_by("applied")[:1]


def _nightly(
    now: datetime, audit: Any, done: Any, newest: Any, backup: Any, migration: Any
) -> dict[str, Any]:
    """In plain values, for the cache."""
    return {
        "backup": backup
        and {
            "seconds": (now - backup.at).total_seconds(),
            "size": backup.size,
            "trial": backup.trial_seconds,
            "elsewhere": backup.is_elsewhere,
        },
        "backup_fault": newest.fault if newest else "",
        "installed": (now - migration.applied).total_seconds() if migration else None,
        "audit": audit
        and {
            "faulty": audit.faulty,
            "named": len(audit.faults),
            "checked": audit.checked,
            "seconds": (now - audit.until).total_seconds(),
        },
        "cleaned": (now - done.at).total_seconds() if done else None,
        "clean_up": str(done) if done else "nothing removed yet",
    }


def _plies() -> tuple[int, tuple[float | None, float | None]]:
    with connection.cursor() as cursor:
        cursor.execute(_PLIES, [RECENT_PLIES])
        moves, spread = cursor.fetchone()
    return moves, (spread[0], spread[1]) if spread else (None, None)


def _valkey_figures(now: datetime) -> dict[str, Any]:
    """``None`` for what cannot be known while Valkey is away."""
    queues = [queue for taken in WORKERS.values() for queue in taken]
    try:
        depth = sum(int(_valkey().llen(queue)) for queue in queues)
        failed = int(_valkey().get(FAILED.format(now)) or 0)
        listeners = listeners_everywhere()
    except redis.RedisError:
        return {"queue": None, "failed": None, "listeners": None}
    return {"queue": depth, "failed": failed, "listeners": listeners}


def _disk() -> dict[str, float | None]:
    """Of the database: its size, and of its disk what can be known."""
    space = health.disk_space()
    return {
        "database": space.database,
        "disk_free": space.free,
        "disk_used": space.used_ratio,
    }


def count_failure(**_: Any) -> None:
    """Called for each task that failed."""
    key = FAILED.format(timezone.now())
    try:
        _valkey().incr(key)
        _valkey().expire(key, 3 * 24 * 3600)
    except redis.RedisError:
        return


@lru_cache(maxsize=1)
def _valkey() -> "redis.Redis":
    return valkey_client(settings.VALKEY_URL, **PATIENCE)


SAMPLED: Final = ("active", "moves", "bot_p50", "bot_p99", "unpaid", "queue", "listeners")


def take_samples() -> None:
    """Called every minute; forgets what is older than 30 days."""
    at, figures = timezone.now().replace(second=0, microsecond=0), _measure()
    taken = [(name, figures[name]) for name in SAMPLED if figures[name] is not None]
    samples = [Sample(name=name, at=at, value=float(value)) for name, value in taken]
    Sample.objects.bulk_create(samples, ignore_conflicts=True)
    Sample.objects.filter(at__lt=at - SAMPLES_KEPT).delete()


def series(
    names: Sequence[str], span: timedelta, points: int
) -> dict[str, list[tuple[float, float]]]:
    """By name the means over equal parts of the time up to now: (0 to 1 of the time, the value)."""
    now = timezone.now()
    step, begin = span.total_seconds() / points, (now - span).timestamp()
    rows: Iterable[Any] = (
        Sample.objects.filter(name__in=names, at__gte=now - span)
        .annotate(part=Floor((Extract("at", "epoch") - begin) / step))
        .order_by()
        .values("name", "part")
        .annotate(mean=Avg("value"), first=Min("at"))
        .order_by("first")
    )
    means: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for row in rows:
        means[row["name"]].append(((float(row["part"]) + 0.5) / points, row["mean"]))
    return means


SAMPLES: Final = Duty(name="samples", piece=take_samples, every=60, idle=600)

# Whether opponents move: bot turns that should have been played by now.

LATE_MOVE: Final = timedelta(seconds=20)
OF_ONE_MATCH: Final = timedelta(minutes=10)
"""A turn that waits for longer is the fault of its match, which the list of the admin shows."""


def bots_move() -> str:
    """`up`, or for how long the oldest bot turn that a person waits for has been due."""
    now = timezone.now()
    people = Seat.objects.filter(match=OuterRef("pk"), kind__in=["user", "local"])
    late = Match.objects.filter(
        of_installed_games(),
        Exists(people),
        status="active",
        bot_due_at__range=(now - OF_ONE_MATCH, now - LATE_MOVE),
    )
    oldest = late.aggregate(oldest=Min("bot_due_at"))["oldest"]
    return f"a turn is due for {(now - oldest).total_seconds():.0f} s" if oldest else "up"


# How it is going: people, matches, how they end, reports. All counted from rows, by no tracker.
#
# A person counts on a day on which a match began in which they hold a seat. Days and weeks are
# UTC, weeks begin on Monday.

WEEKS: Final = (4, 12, 26)
NUMBERS_SHOWN_FOR: Final = 300  # seconds


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
_MODERATORS: Final = """
SELECT coalesce(u.username, 'nobody'), count(*) FILTER (WHERE resolved_at IS NULL),
    count(resolved_at),
    round(extract(epoch FROM percentile_cont(0.5) WITHIN GROUP (
        ORDER BY resolved_at - at)) / 3600)
FROM operations_playerreport r LEFT JOIN accounts_user u ON u.id = r.assignee_id
WHERE resolved_at IS NULL OR resolved_at >= %(since)s GROUP BY 1 ORDER BY 2 DESC, 1"""

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
    (
        "moderators",
        "Who works on reports",
        "Median hours: from the report to its answer.",
        ("Moderator", "Open", "Answered", "Median hours"),
        _MODERATORS,
    ),
)


def tables(weeks: int) -> list[Numbers]:
    """Of the last so many weeks, at most some minutes old; six statements."""
    key = f"operations:numbers:{weeks}"
    rows = cache.get_or_set(key, lambda: _count(weeks), NUMBERS_SHOWN_FOR) or _count(weeks)
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
