"""The disk of the database: whether it can be written, and how full it is where that can be known.

On one machine it is that of the state folder. Of a Postgres elsewhere only the operator knows how
large its disk is (``DATABASE_DISK_GB``), and a temporary file of Postgres tells whether it is full.
"""

import shutil
import time
from typing import Final, NamedTuple

from django.conf import settings
from django.db import OperationalError, connection, transaction

from config.host.embedded.faults import LEAST_FREE

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


def space() -> Space:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        (database,) = cursor.fetchone()
    if (own := _own_disk()) is not None:
        return Space(database, *own)
    if settings.DATABASE_DISK_GB:
        total = settings.DATABASE_DISK_GB * 1e9
        return Space(database, total, max(0.0, total - database))
    return Space(database)


def status() -> str:
    """For ``/readyz``: up or full. It writes at most once in ten seconds."""
    global _good_until  # noqa: PLW0603 - one fact a process
    if (own := _own_disk()) is not None and own[1] < LEAST_FREE:
        return FULL
    if time.monotonic() < _good_until:
        return "up"
    try:
        _write()
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


def _write() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(LEAST_MEMORY)
        cursor.execute(WRITE)
