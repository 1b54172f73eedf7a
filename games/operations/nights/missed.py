"""Work of the night: each kind once after its hour, or as soon as a worker is there again.

The last time stands in a row, so a beat or a worker that was stopped at that hour misses nothing. A
night before the installation was not missed.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Final, NamedTuple

import structlog
from celery import current_app
from django.core.cache import cache
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Max, Min, Model
from django.utils import timezone

from config.tasks.queues import BATCH
from games.operations.models import CleanUp, ReplayAudit

AGAIN: Final = 3600  # seconds until work that has left no row is sent again

log = structlog.get_logger(__name__)


class Nightly(NamedTuple):
    """A task of the night; ``field`` of the newest row is the time when it was done last."""

    task: str
    hour: time  # UTC
    rows: type[Model]
    field: str

    def last(self) -> datetime | None:
        newest = self.rows._default_manager.aggregate(last=Max(self.field))  # noqa: SLF001
        last: datetime | None = newest["last"]
        return last


NIGHTLY: Final = (
    Nightly("games.operations.tasks.clean_up", time(2, 7), CleanUp, "at"),
    Nightly("games.operations.tasks.start_audit", time(2, 37), ReplayAudit, "until"),
)


def due(now: datetime) -> Iterator[str]:
    """The tasks whose hour has come since they were done."""
    begun = installed_at()
    for nightly in NIGHTLY:
        if (nightly.last() or begun or now) < _last_hour(nightly.hour, now):
            yield nightly.task


def make_up() -> None:
    """Sends the tasks that are due, each at most once an hour. Called every minute."""
    for task in due(timezone.now()):
        if cache.add(f"night:{task}", 1, timeout=AGAIN):
            _send(task)


def installed_at() -> datetime | None:
    """When the first table was made."""
    applied: datetime | None = MigrationRecorder(connection).migration_qs.aggregate(
        first=Min("applied")
    )["first"]
    return applied


def _last_hour(hour: time, now: datetime) -> datetime:
    today = datetime.combine(now.astimezone(UTC).date(), hour, UTC)
    return today if today <= now else today - timedelta(days=1)


def _send(task: str) -> None:
    """An unreachable broker is no fault: the next minute tries again."""
    try:
        current_app.send_task(task, queue=BATCH, retry=False)
    except Exception:  # noqa: BLE001 - whatever kombu raises
        cache.delete(f"night:{task}")
        log.warning("night_work_not_sent", task=task)
