"""The metrics that each process counts for Prometheus.

They are few, because every move pays for them. If PROMETHEUS_MULTIPROC_DIR is set, the processes of
a machine or container count in files of that folder, and each of them answers with the sum of all.
Figures that only the database or Valkey knows are in `config.monitoring.installation`.
"""

import os
import time
from bisect import bisect_left
from collections import defaultdict
from threading import Lock
from typing import Any, Final

from django.http import HttpResponse
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from prometheus_client.values import ValueClass

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)

REQUESTS = Counter(
    "cardroom_requests", "Requests answered, by view and status", ["method", "view", "status"]
)
SECONDS = Histogram(
    "cardroom_request_seconds",
    "Seconds to an answer, by view",
    ["view"],
    buckets=BOUNDS,
)
REFUSALS = Counter("cardroom_refusals", "Refusals told to callers, by code", ["code"])
MOVES = Counter(
    "cardroom_moves",
    "Plies written, by game and by who moved: a person, or the service (bots, clocks, operators)",
    ["game", "by"],
)
BOT_SECONDS = Histogram(
    "cardroom_bot_turn_seconds",
    "Seconds from when a bot's turn is due until it is written, by class of turn",
    ["turn_class"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
TASKS = Counter("cardroom_tasks", "Tasks that ended, by how they ended", ["task", "state"])
TASK_SECONDS = Histogram(
    "cardroom_task_seconds",
    "Seconds that a task took",
    ["task"],
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30),
)
DUTY_SECONDS = Histogram(
    "cardroom_duty_seconds",
    "Seconds that a piece of a duty took",
    ["duty"],
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30),
)
ROWS_FAILED = Counter(
    "cardroom_rows_failed", "Rows that a duty could not do, by exception", ["duty", "error"]
)
LISTENERS = Gauge("cardroom_listeners", "Open streams", multiprocess_mode="livesum")
ANNOUNCEMENTS = Gauge(
    "cardroom_announcements_waiting", "News that wait to be sent", multiprocess_mode="livesum"
)
DROPPED = Counter("cardroom_announcements_dropped", "News dropped while Valkey was away")
FAILED_AFTER_COMMIT = Counter(
    "cardroom_after_commit_failed", "What failed after its commit, by kind of error", ["error"]
)
POOL_CONNECTIONS = Gauge(
    "cardroom_pool_connections", "Connections to Postgres", multiprocess_mode="livesum"
)
POOL_WAITS = Counter("cardroom_pool_waits", "Times that a thread waited for a connection")
POOL_WAIT_SECONDS = Counter("cardroom_pool_wait_seconds", "Seconds waited for a connection")
POOL_ERRORS = Counter("cardroom_pool_errors", "Times that a thread waited and got no connection")
READS = Counter("cardroom_list_reads", "Lists that were read, by where", ["at"])
REPLICA_BEHIND = Gauge(
    "cardroom_replica_behind_seconds",
    "Seconds by which a replica is behind; infinite where it is left out",
    ["replica"],
    multiprocess_mode="livemax",
)

of_the_installation: list[Collector] = []
"""Collectors that each page asks, besides the counts of the processes."""


_lock = Lock()
_requests: defaultdict[tuple[str, str, int], int] = defaultdict(int)
_moves: defaultdict[tuple[str, str], int] = defaultdict(int)
_times: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * (len(BOUNDS) + 2))
"""By view: how many requests fell between two bounds, and at last the sum of their seconds."""


def record(method: str, view: str, status: int, begun: float) -> None:
    """Counts a request that was answered now; ``begun`` is of ``time.perf_counter``.

    This and ``moved`` are part of every move, so they count in plain numbers until ``flush``.
    """
    seconds = time.perf_counter() - begun
    with _lock:
        _requests[method, view, status] += 1
        times = _times[view]
        times[bisect_left(BOUNDS, seconds)] += 1
        times[-1] += seconds


def refused(code: str) -> None:
    REFUSALS.labels(code).inc()


def moved(game: str, *, by_person: bool, plies: int) -> None:
    """Counts the plies that were written of one match."""
    with _lock:
        _moves[game, "person" if by_person else "service"] += plies


def flush() -> None:
    """Adds what was counted since the last time to the metrics."""
    with _lock:
        requests, moves, times = dict(_requests), dict(_moves), dict(_times)
        _requests.clear()
        _moves.clear()
        _times.clear()
    for labels, count in requests.items():
        REQUESTS.labels(*labels).inc(count)
    for who, plies in moves.items():
        MOVES.labels(*who).inc(plies)
    for view, (*counts, seconds) in times.items():
        histogram: Any = SECONDS.labels(view)
        for bucket, number in zip(histogram._buckets, counts, strict=True):  # noqa: SLF001
            bucket.inc(number)
        histogram._sum.inc(seconds)  # noqa: SLF001 - there is no public way to add several


def forget(pid: int) -> None:
    """A process has ended: its counts stay in the sum, but not its gauges."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if folder:
        mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]


def page() -> HttpResponse:
    """The page that Prometheus reads."""
    return HttpResponse(text(*of_the_installation), content_type=CONTENT_TYPE_LATEST)


def text(*more: Collector) -> bytes:
    """The counts of this process, or of all that share its folder; then what ``more`` collect."""
    flush()
    counted: Any = REGISTRY
    if ValueClass.__name__ == "MmapedValue":
        counted = CollectorRegistry()
        MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
    others = CollectorRegistry()
    for collector in more:
        others.register(collector)
    return generate_latest(counted) + generate_latest(others)
