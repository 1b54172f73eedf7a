"""Postgres and Valkey for one machine: found in wheels, owned by a state folder, shared by all.

Whoever needs the servers calls `ensure`; the first one starts them, the others find them running.
They outlive their starter on purpose: a killed service must find its data where it left it.
"""

from pathlib import Path
from typing import NamedTuple

from config.embedded import postgres, valkey
from config.embedded.folders import Home, home, secret_key
from config.embedded.processes import ServiceError

__all__ = [
    "ServiceError",
    "Services",
    "database_url",
    "ensure",
    "running",
    "secret_key",
    "stop",
    "valkey_url",
]


class Services(NamedTuple):
    database_url: str
    valkey_url: str


def ensure(state: Path, *, durable: bool = True) -> Services:
    """Both servers, running, whoever started them. Several processes may call this at once.

    `durable=False` gives up fsync, for tests only, and only in the process that starts them.
    """
    place = home(state)
    with place.lock():
        return Services(postgres.ensure(place, durable=durable), valkey.ensure(place))


def ensure_postgres(state: Path) -> str:
    place = home(state)
    with place.lock():
        return postgres.ensure(place)


def ensure_valkey(state: Path) -> str:
    place = home(state)
    with place.lock():
        return valkey.ensure(place)


def running(state: Path) -> tuple[bool, bool]:
    """Whether (Postgres, Valkey) have a living process. Cheap enough to ask every second."""
    place = home(state)
    return postgres.pid(place) is not None, valkey.pid(place) is not None


def stop(state: Path) -> None:
    """Stop both, cleanly if they let us. Nothing is lost either way."""
    if not state.exists():
        return
    place = home(state)
    with place.lock():
        valkey.stop(place)
        postgres.stop(place)


def database_url(state: Path) -> str:
    """Where this state folder's database answers, running or not."""
    return postgres.url(_existing_home(state))


def valkey_url(state: Path) -> str:
    return valkey.url(_existing_home(state))


def _existing_home(state: Path) -> Home:
    return home(state)
