"""Postgres and Valkey for one machine: found in wheels, owned by a state folder, shared by all.

Whoever needs the servers calls `ensure`; the first one starts them, the others find them running.
They outlive their starter on purpose: a killed service must find its data where it left it.
"""

from pathlib import Path
from typing import NamedTuple

from config.host.embedded import postgres, valkey
from config.host.embedded.folders import home, secret_key
from config.host.embedded.processes import ServiceError

__all__ = [
    "ServiceError",
    "Services",
    "database_url",
    "ensure",
    "ensure_postgres",
    "ensure_valkey",
    "postgres_runs",
    "secret_key",
    "stop",
    "valkey_runs",
    "valkey_url",
]


class Services(NamedTuple):
    database_url: str
    valkey_url: str


def ensure(state: Path, *, durable: bool = True) -> Services:
    """Both servers, running, whoever started them. Several processes may call this at once.

    `durable=False` gives up fsync, for tests only, and only if this call is the one that starts.
    """
    return Services(ensure_postgres(state, durable=durable), ensure_valkey(state))


def ensure_postgres(state: Path, *, durable: bool = True) -> str:
    place = home(state)
    with place.lock():
        return postgres.ensure(place, durable=durable)


def ensure_valkey(state: Path) -> str:
    place = home(state)
    with place.lock():
        return valkey.ensure(place)


def postgres_runs(state: Path) -> bool:
    """Whether its process lives. Cheap enough to ask several times a second."""
    return postgres.pid(home(state)) is not None


def valkey_runs(state: Path) -> bool:
    return valkey.pid(home(state)) is not None


def stop(state: Path) -> None:
    """Stop what runs here, cleanly if it lets us. Nothing is lost either way."""
    place = home(state)
    with place.lock():
        valkey.stop(place)
        postgres.stop(place)


def database_url(state: Path) -> str:
    """Where this state folder's database answers, running or not."""
    return postgres.url(home(state))


def valkey_url(state: Path) -> str:
    return valkey.url(home(state))
