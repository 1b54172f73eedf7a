"""What a web process looks at now and then instead of counting it in a request.

Connections, waits for them, streams, news not sent yet. The number of streams also goes to Valkey,
where the dashboard of operators adds up those of all processes.
"""

import os
import socket
import time
from threading import Thread
from typing import Any, Final

import structlog
from django.db import connections
from redis.exceptions import RedisError

from config.monitoring import health
from config.offers import offered
from config.tasks import after_commit
from config.telemetry import metrics

EVERY: Final = 5.0  # seconds
LISTENERS_KEY: Final = "cardroom:listeners:"
KEPT: Final = 15  # seconds that Valkey remembers what a process said

log = structlog.get_logger(__name__)
_COUNTED: Final = {
    "requests_queued": (metrics.POOL_WAITS, 1.0),
    "requests_wait_ms": (metrics.POOL_WAIT_SECONDS, 1000.0),
    "requests_errors": (metrics.POOL_ERRORS, 1.0),
}


def sample_for_ever() -> None:
    """Starts the thread that does it."""
    Thread(target=_sample_for_ever, name="samples", daemon=True).start()


def _sample_for_ever() -> None:
    before: dict[str, int] = {}
    while True:
        try:
            before = sample(before)
        except RedisError as error:
            log.debug("listeners_not_told", cause=type(error).__name__)
        except Exception:
            log.exception("sampling_failed")
        time.sleep(EVERY)


def sample(before: dict[str, int]) -> dict[str, int]:
    """Takes the samples; ``before`` is what the last call returned."""
    metrics.flush()
    listeners = sum(count() for count in offered("open_streams"))
    metrics.LISTENERS.set(listeners)
    if listeners:  # somebody watches, and need not ask for anything
        after_commit.something_happens()
    metrics.ANNOUNCEMENTS.set(after_commit.waiting())
    pool: Any = connections["default"].pool  # type: ignore[attr-defined]
    stats: dict[str, int] = pool.get_stats()
    metrics.POOL_CONNECTIONS.set(stats["pool_size"])
    for name, (counter, unit) in _COUNTED.items():
        counter.inc(max(0, stats.get(name, 0) - before.get(name, 0)) / unit)
    key = f"{LISTENERS_KEY}{socket.gethostname()}:{os.getpid()}"
    health.valkey().set(key, listeners, ex=KEPT)
    return stats


def listeners_everywhere() -> int:
    """Open streams of all web processes; raises RedisError while Valkey is away."""
    valkey: Any = health.valkey()
    keys = list(valkey.scan_iter(f"{LISTENERS_KEY}*", count=1000))
    return sum(int(streams or 0) for streams in valkey.mget(keys)) if keys else 0
