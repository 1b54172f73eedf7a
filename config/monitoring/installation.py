"""Figures of the whole installation, asked of Postgres and Valkey when Prometheus reads.

Every web process says the same here. A query over several of them takes the largest:
``max(cardroom_workers)``.
"""

import os
import socket
import time
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any, Final, NamedTuple

import structlog
from django.conf import settings
from django.db import Error, connections
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from config.host import crew
from config.models import Trouble
from config.monitoring import health
from config.offers import offered
from config.tasks import after_commit, duties
from config.tasks.queues import WORKERS
from config.telemetry import metrics

NAMED: Final = 100  # rows in trouble

log = structlog.get_logger(__name__)


class Figure(NamedTuple):
    """A value by the name of a metric; ``label`` is one pair, where several share the name."""

    name: str
    meaning: str
    value: float | None
    label: tuple[str, str] | None = None


Source = Callable[[], Iterator[Figure]]
sources: list[Source] = []
"""Figures of apps, filled in by each app that has some (``AppConfig.ready``)."""


class Installation(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        families: dict[str, GaugeMetricFamily] = {}
        for figure in figures():
            family = families.get(figure.name)
            if family is None:
                labels = [figure.label[0]] if figure.label else None
                family = GaugeMetricFamily(figure.name, figure.meaning, labels=labels)
                families[figure.name] = family
            if figure.value is not None:
                family.add_metric([figure.label[1]] if figure.label else [], figure.value)
        yield from families.values()


def figures() -> Iterator[Figure]:
    """A source that fails leaves its figures out; the parts say why."""
    for source in (_parts, _from_valkey, *sources):
        try:
            yield from source()
        except (Error, RedisError) as error:
            log.warning("figures_unknown", source=source.__name__, cause=type(error).__name__)


def _parts() -> Iterator[Figure]:
    for part, state in health.check().items():
        yield Figure(
            "cardroom_part_up", "Parts as /readyz has them", float(state == "up"), ("part", part)
        )


WITH_HEARTBEAT: Final = "Workers with a heartbeat; none of a kind that rests on one machine"
QUEUE: Final = "Tasks that wait for a worker"


def _from_valkey() -> Iterator[Figure]:
    valkey = health.valkey()
    waiting = {queue: float(valkey.llen(queue)) for taken in WORKERS.values() for queue in taken}
    for kind, taken in WORKERS.items():
        alive = float(health.workers(kind))
        rests = settings.ONE_MACHINE and kind in crew.ON_DEMAND
        if alive or not rests or any(waiting[queue] for queue in taken):
            yield Figure("cardroom_workers", WITH_HEARTBEAT, alive, ("kind", kind))
    for queue, tasks in waiting.items():
        yield Figure("cardroom_queue_tasks", QUEUE, tasks, ("queue", queue))


class Duties(Collector):
    """Delays of duties, and the rows at which they fail: ids and exceptions, no more."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            yield _delays()
            yield _troubles()
        except (Error, RedisError) as error:
            log.warning("figures_unknown", source="duties", cause=type(error).__name__)


def _delays() -> GaugeMetricFamily:
    family = GaugeMetricFamily(
        "cardroom_duty_delay_seconds",
        "Seconds since a duty became due; 0 where it is not",
        labels=["duty", "kind"],
    )
    for name, seconds in duties.delays().items():
        family.add_metric([name, duties.registry()[name].kind], seconds)
    return family


def _troubles() -> GaugeMetricFamily:
    family = GaugeMetricFamily(
        "cardroom_row_failures",
        "How often a duty has failed at a row, of those that it still fails at",
        labels=["duty", "row", "error", "set_aside"],
    )
    for one in Trouble.objects.all()[:NAMED]:
        aside = str(one.is_set_aside).lower()
        family.add_metric([one.duty, one.row, one.error, aside], one.failures)
    return family


metrics.of_the_installation += [Installation(), Duties()]

# Samples that a web process takes now and then instead of counting in a request.
#
# Connections, waits for them, streams, news not sent yet. The number of streams also goes to
# Valkey, where the dashboard of operators adds up those of all processes.

EVERY: Final = 5.0  # seconds
LISTENERS_KEY: Final = "cardroom:listeners:"
KEPT: Final = 15  # seconds that Valkey remembers what a process said


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
