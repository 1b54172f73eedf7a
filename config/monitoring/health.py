"""`/healthz`, `/readyz` and `/metrics`: is the process up, are its parts, how busy is it."""

import os
import shutil
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache
from hmac import compare_digest
from threading import Lock
from typing import Final, NamedTuple

import redis
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse

from config import version
from config.counting import PATIENCE
from config.host.embedded.processes import LEAST_FREE
from config.offers import offered_by_name
from config.postgres import schema
from config.postgres.connections import patience
from config.tasks import after_commit
from config.tasks.queues import BATCH, DUTIES, INTERACTIVE, LONG, OUTWARD
from config.telemetry import requests
from config.telemetry.metrics import page
from config.valkey import valkey_client

# The disk of the database: whether it can be written, and how full it is where that can be known.
#
# On one machine it is that of the state folder. Of a Postgres elsewhere only the operator knows
# how large its disk is (``DATABASE_DISK_GB``), and a temporary file of Postgres tells whether it
# is full.

FULL: Final = "full"
DISK_FULL: Final = "53100"  # SQLSTATE
LEAST_MEMORY: Final = "SET LOCAL work_mem = '64kB'"
WRITE: Final = "SELECT count(*) FROM generate_series(1, 20000)"  # 280 KB that do not fit in it
SECONDS_BETWEEN_WRITES: Final = 10.0

_good_until = 0.0


class Space(NamedTuple):
    """In bytes; what nobody knows is ``None``."""

    database: int
    total: float | None = None
    free: float | None = None

    @property
    def used_ratio(self) -> float | None:
        return None if self.total is None or self.free is None else 1 - self.free / self.total


def disk_space() -> Space:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        (database,) = cursor.fetchone()
    if (own := _own_disk()) is not None:
        return Space(database, *own)
    if settings.DATABASE_DISK_GB:
        total = settings.DATABASE_DISK_GB * 1e9
        return Space(database, total, max(0.0, total - database))
    return Space(database)


def disk_status() -> str:
    """For ``/readyz``: up or full. It writes at most once in ten seconds."""
    global _good_until  # noqa: PLW0603 - one fact a process
    if (own := _own_disk()) is not None and own[1] < LEAST_FREE:
        return FULL
    if time.monotonic() < _good_until:
        return "up"
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(LEAST_MEMORY)
            cursor.execute(WRITE)
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) == DISK_FULL:
            return FULL
        raise
    _good_until = time.monotonic() + SECONDS_BETWEEN_WRITES
    return "up"


def _own_disk() -> tuple[int, int] | None:
    """Bytes of the disk on which this machine's own Postgres lies, and how many are free."""
    if not settings.OWN_DATABASE or not settings.STATE.exists():
        return None
    usage = shutil.disk_usage(settings.STATE)
    return usage.total, usage.free


SECONDS_TO_ANSWER = 0.8
# A worker of another kind is no substitute for the interactive one.
HEARTBEAT_KEYS = {
    INTERACTIVE: "cardroom:worker:",
    DUTIES: "cardroom:duties-worker:",
    BATCH: "cardroom:batch-worker:",
    LONG: "cardroom:long-worker:",
    OUTWARD: "cardroom:outward-worker:",
}
HEARTBEAT_SECONDS = 10  # five times as long as a worker takes between two heartbeats
CHECKERS = 10
LATE = "late: "  # so begins what is said and makes nobody unready

Check = Callable[[], str]
_checkers = ThreadPoolExecutor(CHECKERS, thread_name_prefix="readyz")
_running: dict[str, "Future[str]"] = {}
_asking = Lock()
_schema_fits = False


def healthz(_: HttpRequest) -> HttpResponse:
    return JsonResponse(version.healthy())


def readyz(_: HttpRequest) -> HttpResponse:
    """Late duties are said and make nobody unready: pages and moves go on, and with every web
    process taken out of service nothing would be played at all.
    """
    parts = check()
    ready = all(part == "up" for part in parts.values() if not part.startswith(LATE))
    answer = JsonResponse(
        {"status": "ready" if ready else "not ready", **parts},
        status=200 if ready else 503,
        headers={"Cache-Control": "no-store"} | ({} if ready else {"Retry-After": "2"}),
    )
    answer._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001  # 503 is no fault
    return answer


def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus' text for local addresses or callers with the token; 404 for others."""
    if not _may_read_metrics(request):
        return HttpResponse(status=404)
    return page()


requests.apart.update({"/healthz": healthz, "/readyz": readyz, "/metrics": metrics})


def check() -> dict[str, str]:
    """Each part by name: `up`, or what is wrong with it. Takes less than a second."""
    checks = {
        "database": _database,
        "schema": _schema,
        "disk": disk_status,
        "broker": _broker,
        "worker": _worker,
        "duties": _duties,
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


def workers(kind: str) -> int:
    """The number of workers of a kind that have a heartbeat."""
    return sum(1 for _ in valkey().scan_iter(f"{HEARTBEAT_KEYS[kind]}*", count=1000))


def _answer(part: Check) -> str:
    try:
        with patience(SECONDS_TO_ANSWER):  # nothing is left behind in these threads
            return part()
    finally:
        connection.close()


def _database() -> str:
    """Whether it takes writes, too: a standby and a managed one with a full disk only read."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_is_in_recovery(), current_setting('transaction_read_only')")
        in_recovery, read_only = cursor.fetchone()
    return "read-only" if in_recovery or read_only == "on" else "up"


def _schema() -> str:
    """Looked at until it fits: a newer release may migrate while this process still serves."""
    global _schema_fits  # noqa: PLW0603 - one fact a process
    if not _schema_fits:
        difference = str(schema.difference())
        if difference:
            return difference
        _schema_fits = True
    return "up"


def _duties() -> str:
    """Whether somebody is there for them, and whether one for which people wait is late."""
    from config.tasks import duties  # here: it knows rows, and this module is imported before them

    return duties.late() if workers(DUTIES) else "nobody is there for them"


def _broker() -> str:
    valkey().ping()
    return "up"


def _worker() -> str:
    return "up" if workers(INTERACTIVE) else "away"


@lru_cache(maxsize=1)
def valkey() -> redis.Redis:
    return valkey_client(settings.VALKEY_URL, **PATIENCE)


def _may_read_metrics(request: HttpRequest) -> bool:
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN:
        return compare_digest(bearer.encode(), settings.METRICS_TOKEN.encode())
    # Behind a proxy on this machine every caller has a local address.
    proxied = "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META
    return not proxied and request.META.get("REMOTE_ADDR") in settings.METRICS_ADDRESSES
