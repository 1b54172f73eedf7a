"""Postgres and Valkey of one machine's service, unless the operator named servers of their own."""

import os
from collections.abc import Iterator
from pathlib import Path

from django.db import connection, connections

from config.host import embedded


def start_postgres(state: Path) -> str:
    """What runs now, in a word."""
    if not _owns_postgres():
        return "yours (DATABASE_URL)"
    embedded.ensure_postgres(state)
    return "running"


def start_valkey(state: Path) -> str:
    if not _owns_valkey():
        return "yours (VALKEY_URL)"
    embedded.ensure_valkey(state)
    return "running"


def restart_ended(state: Path) -> Iterator[str]:
    """Starts again what ended; a sentence for each, before it is started."""
    if _owns_postgres() and not embedded.postgres_runs(state):
        yield "The database ended; starting it again"
        embedded.ensure_postgres(state)
    if _owns_valkey() and not embedded.valkey_runs(state):
        yield "The broker ended; starting it again"
        embedded.ensure_valkey(state)


def stop(state: Path) -> None:
    """Stops what is ours, when no other process uses it."""
    release_database()
    if _owns_postgres() or _owns_valkey():
        embedded.stop(state)


def release_database() -> None:
    """Closes this process's connections: Postgres waits for them when it stops."""
    connections.close_all()
    connection.close_pool()  # type: ignore[attr-defined]


def _owns_postgres() -> bool:
    return not os.environ.get("DATABASE_URL")


def _owns_valkey() -> bool:
    return not os.environ.get("VALKEY_URL")
