"""Duties of the night: each once after its hour, or as soon as a worker is there again.

The last time stands in a row, so a beat or a worker that was stopped at that hour misses nothing. A
night before the installation was not missed.
"""

from datetime import datetime
from typing import Any, Final

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min

from config.tasks.duties import Duty
from games.operations.nights import audits, retention

# The last time that the hour came; due if the newest row is older, or the installation.
_DUE: Final = """
SELECT hour, NULL FROM (
    SELECT date_trunc('day', %(now)s - interval '{hour}', 'UTC') + interval '{hour}' AS hour
) last WHERE coalesce((SELECT max({field}) FROM {table}),
    (SELECT min(applied) FROM django_migrations), %(now)s) < hour"""


def nightly(name: str, hour: str, piece: Any, table: str, field: str) -> Duty:
    """A duty of the night; the newest row says when it was done last."""
    due = _DUE.replace("{hour}", hour).replace("{table}", table).replace("{field}", field)
    return Duty(name=name, kind="long", piece=piece, due=due)


def installed_at() -> datetime | None:
    """When the first table was made."""
    applied: datetime | None = MigrationRecorder(connection).migration_qs.aggregate(
        first=Min("applied")
    )["first"]
    return applied


CLEAN_UP: Final = nightly("clean-up", "2:07", retention.clean_up, "operations_cleanup", "at")
AUDIT: Final = nightly(
    "audit of the night", "2:37", audits.start, "operations_replayaudit", "until"
)
