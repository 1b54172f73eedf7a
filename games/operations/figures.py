"""The figures of the dashboard: those of this moment, and their samples over time."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.models import Avg, Exists, Min, OuterRef
from django.db.models.functions import Extract, Floor
from django.utils import timezone

from config.counting import PATIENCE
from config.monitoring import health
from config.monitoring.installation import Figure
from config.monitoring.sampling import listeners_everywhere
from config.tasks.duties import Duty
from config.tasks.queues import WORKERS
from games.absent import of_installed_games
from games.matches.models import Match, Seat
from games.operations import finding
from games.operations.models import CleanUp, PlayerReport, ReplayAudit, Sample
from games.operations.nights import installed_at

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
    oldest = finding.oldest_due_bot_turn()
    moves, (p50, p99) = _plies()
    return {
        "today": finding.since(Match.objects.all(), midnight).count(),
        "active": active.count(),
        "open": Match.objects.filter(status=Match.Status.OPEN).count(),
        "stalled": finding.with_problem(active, "stalled").count(),
        "late": finding.with_problem(active, "late").count(),
        "owes_bot": finding.with_problem(active, "owes_bot").count(),
        "moves": moves,
        "bot_p50": p50,
        "bot_p99": p99,
        "unpaid": (now - oldest).total_seconds() if oldest else 0.0,
        "reports": PlayerReport.objects.filter(resolved_at=None).count(),
        **_valkey_figures(now),
        **_disk(),
        **_nightly(now),
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
    used, free = figures["disk_used"], figures["disk_free"]
    yield Figure("cardroom_database_bytes", "Size of the database", figures["database"])
    yield Figure("cardroom_state_disk_used_ratio", "Of the database's disk", used)
    yield Figure("cardroom_state_disk_free_bytes", "Of the database's disk", free)


def _nightly(now: datetime) -> dict[str, Any]:
    """The last audit that came to its end and the last clean-up; the cache keeps plain values."""
    audit = ReplayAudit.objects.filter(finished_at__isnull=False).first()
    done, installed = CleanUp.objects.first(), installed_at()
    return {
        "installed": (now - installed).total_seconds() if installed else None,
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
    return redis.Redis.from_url(settings.VALKEY_URL, **PATIENCE)


SAMPLED: Final = ("active", "moves", "bot_p50", "bot_p99", "unpaid", "queue", "listeners")


def take_samples() -> None:
    """Called every minute; forgets what is older than 30 days."""
    at, figures = timezone.now().replace(second=0, microsecond=0), _measure()
    taken = [(name, figures[name]) for name in SAMPLED if figures[name] is not None]
    samples = [Sample(name=name, at=at, value=float(value)) for name, value in taken]
    Sample.objects.bulk_create(samples, ignore_conflicts=True)
    Sample.objects.filter(at__lt=at - SAMPLES_KEPT).delete()


def series(name: str, span: timedelta, points: int) -> list[tuple[float, float]]:
    """Means over equal parts of the time up to now: (0 to 1 of the time, the value)."""
    now = timezone.now()
    step, begin = span.total_seconds() / points, (now - span).timestamp()
    rows: Iterable[Any] = (
        Sample.objects.filter(name=name, at__gte=now - span)
        .annotate(part=Floor((Extract("at", "epoch") - begin) / step))
        .order_by()
        .values("part")
        .annotate(mean=Avg("value"), first=Min("at"))
        .order_by("first")
    )
    return [((float(row["part"]) + 0.5) / points, row["mean"]) for row in rows]


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
