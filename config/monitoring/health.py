"""`/healthz`, `/readyz` and `/metrics`: is the process up, are its parts, how busy is it.

A middleware before all others responds: a probe comes by address, without a host name or TLS, and
needs a true answer while the database is unreachable.
"""

import os
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from hmac import compare_digest

import redis
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from config import after_commit
from config.cache import PATIENCE
from config.monitoring.metrics import page

SECONDS_TO_ANSWER = 0.8
HEARTBEAT_KEY = "cardroom:worker:"
HEARTBEAT_SECONDS = 10  # five times as long as a worker takes between two heartbeats
CHECKERS = 6

Handler = Callable[[HttpRequest], HttpResponseBase]
_checkers = ThreadPoolExecutor(CHECKERS, thread_name_prefix="readyz")


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
    checks = {"database": _database, "broker": _broker, "worker": _worker}
    running = {name: _checkers.submit(part) for name, part in checks.items()}
    wait(running.values(), timeout=SECONDS_TO_ANSWER)
    answers = {
        name: answer.result() if answer.done() and not answer.exception() else "away"
        for name, answer in running.items()
    }
    return answers | {"announcer": after_commit.status()}


def worker_is_alive() -> None:
    """Called by a worker; the key expires when this is not repeated."""
    key = f"{HEARTBEAT_KEY}{socket.gethostname()}:{os.getpid()}"
    _valkey().set(key, int(time.time()), ex=HEARTBEAT_SECONDS)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connection.close()
    return "up"


def _broker() -> str:
    _valkey().ping()
    return "up"


def _worker() -> str:
    beats = _valkey().scan_iter(f"{HEARTBEAT_KEY}*", count=1000)
    return "up" if next(beats, None) else "away"


@lru_cache(maxsize=1)
def _valkey() -> redis.Redis:
    return redis.Redis.from_url(settings.VALKEY_URL, **PATIENCE)


def _may_read_metrics(request: HttpRequest) -> bool:
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN:
        return compare_digest(bearer.encode(), settings.METRICS_TOKEN.encode())
    # Behind a proxy on this machine every caller has a local address.
    proxied = "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META
    return not proxied and request.META.get("REMOTE_ADDR") in settings.METRICS_ADDRESSES
