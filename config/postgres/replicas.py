"""Reads that may be a second old, from a replica; everything else is the primary's.

A list is read in `read`, or in a view under `a_second_old`. Nobody misses what they wrote: of a
reader who is signed in or has a key, a replica must have all that the primary has written when it
is asked, and is waited for so long as `PATIENCE`. For others it may be behind by `MOST_BEHIND`. A
replica that is gone or further behind is left out, and comes back by itself. What fails at a
replica is read again from the primary.

The account of a caller and its rights always come from the primary.
"""

import random
import time
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache, wraps
from math import inf
from typing import Any, Final, TypeVar

import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.postgres.connections import LOST
from config.telemetry import metrics

PREFIX: Final = "replica"
PATIENCE: Final = 0.05  # seconds
STEP: Final = 0.004
MOST_BEHIND: Final = 5.0  # seconds
LOOKED_AT_EVERY: Final = 1.0  # seconds
LEFT_OUT_FOR: Final = 5.0  # seconds
THE_PRIMARYS: Final = frozenset(
    {"accounts", "sessions", "account", "mfa", "axes", "knox", "auth", "admin"}
)
# Every commit that was answered is flushed; a replica is sent nothing that is not.
WRITTEN: Final = "SELECT pg_current_wal_flush_lsn() - '0/0'::pg_lsn"
# A commit of nothing: all before it is flushed. Of a record that crosses pages of the log the
# first half may be: a replica waits for the other one, and an idle primary does not write it.
NUDGE: Final = "SELECT pg_logical_emit_message(true, 'cardroom', '')"
REPLAYED: Final = "SELECT pg_last_wal_replay_lsn() - '0/0'::pg_lsn WHERE pg_is_in_recovery()"

log = structlog.get_logger(__name__)
_reading: ContextVar[str | None] = ContextVar("replica", default=None)
T = TypeVar("T")


class Router:
    """Django's: a replica for lists, as far as they are read from the model's table."""

    def db_for_read(self, model: Any, **_: Any) -> str | None:
        alias = _reading.get()
        return None if model._meta.app_label in THE_PRIMARYS else alias  # noqa: SLF001

    def db_for_write(self, _model: Any, **_: Any) -> str:
        return DEFAULT_DB_ALIAS  # also what a replica has read

    def allow_relation(self, *_: Any, **__: Any) -> bool:
        return True

    def allow_migrate(self, alias: str, *_: Any, **__: Any) -> bool:
        return alias == DEFAULT_DB_ALIAS


class Replica:
    """``behind`` is the seconds of what the primary wrote that are missing here, as last seen."""

    def __init__(self, alias: str) -> None:
        self.alias, self.behind = alias, inf
        self._written: deque[tuple[float, int]] = deque(maxlen=16)  # by the primary, and when
        self._look_at = self._out_until = self._nudge_at = 0.0
        self._missed = 0  # what the primary had written when it was last not all here

    @property
    def is_out(self) -> bool:
        return time.monotonic() < self._out_until

    def leave_out(self, error: Exception) -> None:
        self._out_until = time.monotonic() + LEFT_OUT_FOR
        metrics.REPLICA_BEHIND.labels(self.alias).set(inf)
        log.warning("replica_left_out", replica=self.alias, cause=type(error).__name__)

    def has_all(self) -> bool:
        """Whether it has all that the primary has written by now; waits a moment for it."""
        end, written = time.monotonic() + PATIENCE, _number(DEFAULT_DB_ALIAS, WRITTEN)
        while (replayed := _number(self.alias, REPLAYED)) < written:
            if time.monotonic() + STEP > end:
                self._miss(int(written))
                return False
            time.sleep(STEP)
        return replayed < inf

    def is_near(self) -> bool:
        """Whether it is behind by a few seconds at most. Looks once a second."""
        if (now := time.monotonic()) >= self._look_at:
            self._look_at = now + LOOKED_AT_EVERY
            latest = int(_number(DEFAULT_DB_ALIAS, WRITTEN))
            self._written.append((now, latest))
            if (replayed := _number(self.alias, REPLAYED)) < latest:
                self._miss(latest)
            had = [at for at, written in self._written if written <= replayed < inf]
            self.behind = now - max(had, default=-inf)
            metrics.REPLICA_BEHIND.labels(self.alias).set(self.behind)
        return self.behind <= MOST_BEHIND

    def _miss(self, written: int) -> None:
        """Nudges a primary that has written nothing since the last time, once a second."""
        if written == self._missed and (now := time.monotonic()) >= self._nudge_at:
            self._nudge_at = now + LOOKED_AT_EVERY
            with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
                cursor.execute(NUDGE)
        self._missed = written


def _number(alias: str, sql: str) -> float:
    """Infinite for a server that is no replica any more: it may have parted from the primary."""
    with connections[alias].cursor() as cursor:
        cursor.execute(sql)
        row = cursor.fetchone()
    return inf if row is None else float(-inf if row[0] is None else row[0])


@cache
def replicas() -> tuple[Replica, ...]:
    return tuple(Replica(alias) for alias in settings.DATABASES if alias.startswith(PREFIX))


def read(call: Callable[[], T], *, own: bool) -> T:
    """The result of ``call``, which may be a second old.

    ``own``: of a reader who may have written a moment ago. ``call`` writes nothing: it is made
    again where a replica fails.
    """
    if not replicas():
        return call()
    chosen = _chosen(own=own)
    metrics.READS.labels(PREFIX if chosen else "primary").inc()
    if chosen is None:
        return call()
    token = _reading.set(chosen.alias)
    try:
        return call()
    except LOST as error:
        chosen.leave_out(error)
        connections[chosen.alias].close()
    finally:
        _reading.reset(token)
    return call()


def list_connection() -> Any:
    """For statements by hand: to where lists are read now."""
    return connections[_reading.get() or DEFAULT_DB_ALIAS]


def _chosen(*, own: bool) -> Replica | None:
    there = [replica for replica in replicas() if not replica.is_out]
    if not there or _reading.get():
        return None
    replica = random.choice(there)
    try:
        return replica if (replica.has_all() if own else replica.is_near()) else None
    except LOST as error:
        replica.leave_out(error)
        connections[replica.alias].close()
        return None


View = Callable[..., HttpResponseBase]


def a_second_old(view: View) -> View:
    """Of a view that only reads, and renders its answer itself."""

    @wraps(view)
    def reading(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not replicas() or request.method not in ("GET", "HEAD"):
            return view(request, *args, **kwargs)
        is_somebody = request.user.is_authenticated
        return read(lambda: view(request, *args, **kwargs), own=is_somebody)

    return reading
