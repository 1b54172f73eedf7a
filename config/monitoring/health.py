"""`/healthz`, `/readyz` and `/metrics`: is the process up, are its parts, how busy is it.

A middleware before all others responds: a probe comes by address, without a host name or TLS, and
needs a true answer while the database is unreachable.
"""

import os
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache
from hmac import compare_digest
from threading import Lock
from typing import Any

import redis
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from config.counting.cache import PATIENCE
from config.monitoring import disk
from config.offers import offered_by_name
from config.postgres import schema
from config.tasks import after_commit
from config.tasks.queues import BATCH, INTERACTIVE, OUTWARD
from config.telemetry.metrics import page

SECONDS_TO_ANSWER = 0.8
# A worker of another kind is no substitute for the interactive one.
HEARTBEAT_KEYS = {
    INTERACTIVE: "cardroom:worker:",
    BATCH: "cardroom:batch-worker:",
    OUTWARD: "cardroom:outward-worker:",
}
HEARTBEAT_SECONDS = 10  # five times as long as a worker takes between two heartbeats
SWEEP_KEY = "cardroom:sweep"
LONGEST_WITHOUT_SWEEP = 12.0  # seconds; a sweep is due every two
CHECKERS = 10

Handler = Callable[[HttpRequest], HttpResponseBase]
Check = Callable[[], str]
_checkers = ThreadPoolExecutor(CHECKERS, thread_name_prefix="readyz")
_running: dict[str, "Future[str]"] = {}
_asking = Lock()
_schema_fits = False


def answer_probes(get_response: Handler) -> Handler:
    """The middleware."""
    probes: dict[str, Handler] = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return probes.get(request.path_info, get_response)(request)

    return middleware


def healthz(_: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "up"})


def readyz(_: HttpRequest) -> HttpResponse:
    parts = check()
    ready = all(part == "up" for part in parts.values())
    answer = JsonResponse(
        {"status": "ready" if ready else "not ready", **parts},
        status=200 if ready else 503,
        headers={"Cache-Control": "no-store"},
    )
    answer._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001  # 503 is no fault
    return answer


def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus' text for local addresses or callers with the token; 404 for others."""
    if not _may_read_metrics(request):
        return HttpResponse(status=404)
    return page()


def check() -> dict[str, str]:
    """Each part by name: `up`, or what is wrong with it. Takes less than a second."""
    checks = {
        "database": _database,
        "schema": _schema,
        "disk": disk.status,
        "broker": _broker,
        "worker": _worker,
        "sweep": _sweep,
        **offered_by_name("health"),
    }
    running = _submitted(checks)
    wait(running.values(), timeout=SECONDS_TO_ANSWER)
    answers = {
        name: answer.result() if answer.done() and not answer.exception() else "away"
        for name, answer in running.items()
    }
    return answers | {"announcer": after_commit.status()}


def _submitted(checks: dict[str, Check]) -> dict[str, "Future[str]"]:
    """Each part is asked once at a time, however many probes came and went meanwhile."""
    with _asking:
        for name, part in checks.items():
            if name not in _running or _running[name].done():
                _running[name] = _checkers.submit(_answer, part)
        return {name: _running[name] for name in checks}


def worker_is_alive(kind: str = INTERACTIVE) -> None:
    """Called by a worker; the key expires when this is not repeated."""
    key = f"{HEARTBEAT_KEYS[kind]}{socket.gethostname()}:{os.getpid()}"
    valkey().set(key, int(time.time()), ex=HEARTBEAT_SECONDS)


def sweep_is_done() -> None:
    """Called by the worker that has looked for what is overdue."""
    valkey().set(SWEEP_KEY, int(time.time()))


def seconds_since_sweep() -> float | None:
    """``None`` if Valkey does not know of any."""
    at: Any = valkey().get(SWEEP_KEY)
    return None if at is None else max(0.0, time.time() - int(at))


def workers(kind: str) -> int:
    """How many workers of a kind have a heartbeat."""
    return sum(1 for _ in valkey().scan_iter(f"{HEARTBEAT_KEYS[kind]}*", count=1000))


def _answer(part: Check) -> str:
    try:
        return part()
    finally:
        connection.close()


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "up"


def _schema() -> str:
    """Looked at until it fits: a newer release may migrate while this process still serves."""
    global _schema_fits  # noqa: PLW0603 - one fact a process
    if not _schema_fits:
        difference = str(schema.difference())
        if difference:
            return difference
        _schema_fits = True
    return "up"


def _sweep() -> str:
    """Whether overdue bot turns and deadlines are looked for."""
    seconds = seconds_since_sweep()
    if seconds is None:
        return "none yet"
    return "up" if seconds < LONGEST_WITHOUT_SWEEP else f"the last one was {seconds:.0f} s ago"


def _broker() -> str:
    valkey().ping()
    return "up"


def _worker() -> str:
    return "up" if workers(INTERACTIVE) else "away"


@lru_cache(maxsize=1)
def valkey() -> redis.Redis:
    return redis.Redis.from_url(settings.VALKEY_URL, **PATIENCE)


def _may_read_metrics(request: HttpRequest) -> bool:
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN:
        return compare_digest(bearer.encode(), settings.METRICS_TOKEN.encode())
    # Behind a proxy on this machine every caller has a local address.
    proxied = "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META
    return not proxied and request.META.get("REMOTE_ADDR") in settings.METRICS_ADDRESSES
