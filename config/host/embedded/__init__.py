"""Postgres and Valkey for one machine: found in wheels, one of each for a state folder.

A process that needs the servers calls `ensure`; the first one starts them, others find them
running. They outlive the process that started them, so a killed service finds its data again.
"""

from pathlib import Path
from typing import NamedTuple

from config.host.embedded import postgres, processes, valkey
from config.host.embedded.processes import ServiceError, home, secret_key

__all__ = [
    "ServiceError",
    "Services",
    "cut_logs",
    "database_url",
    "ensure",
    "ensure_postgres",
    "ensure_valkey",
    "postgres_pid",
    "postgres_runs",
    "secret_key",
    "stop",
    "valkey_pid",
    "valkey_runs",
    "valkey_url",
]


LONGEST_LOG = 10 * 2**20  # bytes


class Services(NamedTuple):
    database_url: str
    valkey_url: str


def ensure(state: Path, *, durable: bool = True) -> Services:
    """Both servers, running. Several processes may call this at once.

    `durable=False` gives up fsync: for tests only, and only if this call starts the server.
    """
    return Services(ensure_postgres(state, durable=durable), ensure_valkey(state))


def ensure_postgres(
    state: Path, *, durable: bool = True, seconds: float = postgres.SECONDS_TO_START
) -> str:
    place = home(state)
    with place.lock():
        return postgres.ensure(place, durable=durable, seconds=seconds)


def ensure_valkey(state: Path, *, seconds: float = valkey.SECONDS_TO_START) -> str:
    place = home(state)
    with place.lock():
        return valkey.ensure(place, seconds=seconds)


def postgres_runs(state: Path) -> bool:
    """Whether it runs and can be reached. Cheap enough to be called several times a second."""
    return postgres.is_reachable(home(state))


def valkey_runs(state: Path) -> bool:
    return valkey.is_reachable(home(state))


def postgres_pid(state: Path) -> int | None:
    return postgres.pid(home(state))


def valkey_pid(state: Path) -> int | None:
    return valkey.pid(home(state))


def cut_logs(state: Path) -> None:
    """Logs that have become too long begin again; the last part is kept."""
    for name in ("postgres.log", "valkey.log"):
        processes.cut(home(state).data / name, LONGEST_LOG)


def stop(state: Path) -> None:
    """Stops what runs here, cleanly if possible. Nothing is lost either way."""
    place = home(state)
    with place.lock():
        valkey.stop(place)
        postgres.stop(place)


def database_url(state: Path) -> str:
    """The address of this state folder's database, running or not."""
    return postgres.url(home(state))


def valkey_url(state: Path) -> str:
    return valkey.url(home(state))
