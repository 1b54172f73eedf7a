"""Postgres and Valkey of one machine's service, unless the operator named servers of their own."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from config.host import embedded

SECONDS_AT_ONCE: Final = 5.0


def start_postgres(state: Path) -> str:
    """Starts it, unless the operator has named another; a word for the terminal."""
    if not _owns_postgres():
        return "yours (DATABASE_URL)"
    embedded.ensure_postgres(state)
    return "running"


def start_valkey(state: Path) -> str:
    if not _owns_valkey():
        return "yours (VALKEY_URL)"
    embedded.ensure_valkey(state)
    return "running"


def processes(state: Path) -> Iterator[int]:
    """Those of our own servers that run."""
    if _owns_postgres() and (pid := embedded.postgres_pid(state)):
        yield pid
    if _owns_valkey() and (pid := embedded.valkey_pid(state)):
        yield pid


def restart_ended(state: Path) -> Iterator[str]:
    """Restarts a server that has ended or cannot be reached; yields sentences about it.

    It waits for a moment only. A start that takes longer or fails (a full disk) is tried again by
    the next call, so that other processes are watched meanwhile.
    """
    if _owns_postgres() and not embedded.postgres_runs(state):
        yield "The database ended; starting it again"
        yield from _or_why_not(lambda: embedded.ensure_postgres(state, seconds=SECONDS_AT_ONCE))
    if _owns_valkey() and not embedded.valkey_runs(state):
        yield "The broker ended; starting it again"
        yield from _or_why_not(lambda: embedded.ensure_valkey(state, seconds=SECONDS_AT_ONCE))


def _or_why_not(start: Callable[[], str]) -> Iterator[str]:
    try:
        start()
    except (embedded.ServiceError, OSError) as error:
        yield f"{error} Trying again."


def cut_logs(state: Path) -> None:
    if _owns_postgres() or _owns_valkey():
        with suppress(OSError):  # a full disk; the next time
            embedded.cut_logs(state)


def stop(state: Path) -> None:
    """Stops our own servers. The other processes of the service have ended by now."""
    if _owns_postgres() or _owns_valkey():
        embedded.stop(state)


def _owns_postgres() -> bool:
    return not os.environ.get("DATABASE_URL")


def _owns_valkey() -> bool:
    return not os.environ.get("VALKEY_URL")
