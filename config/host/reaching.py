"""Whether Postgres and Valkey can be reached, and if not, why, in a sentence for an operator.

Checked when a process starts and when a command has failed. A fault ``lasts`` if only another
configuration can mend it; a server that is away may come back.
"""

import re
import sys
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import psycopg
import redis
from django.conf import settings
from django.db import connection
from redis.sentinel import MasterNotFoundError

from config.valkey import sentinels_of, valkey_client, valkey_pool

SECONDS: Final = 5
NO_SUCH_HOST: Final = re.compile(
    r"resolve host|translate host name|Name or service not known|nodename nor servname"
    r"|No address associated|Temporary failure in name resolution"
)
UNKNOWN_PARAMETER: Final = re.compile(r"unexpected keyword argument '(\w+)'")
UNKNOWN_VALUE: Final = re.compile(r'invalid (\w+) value: "([^"]*)"')


class Fault(NamedTuple):
    sentence: str
    lasts: bool = False


def check_servers() -> None:
    """At the start of a process: ends it with a sentence for each fault that lasts.

    Other faults are only printed, because the process can wait. On one machine ``serve`` checks.
    """
    if settings.ONE_MACHINE:
        return
    present = faults()
    for fault in present:
        print(fault.sentence, file=sys.stderr)  # noqa: T201 - the log is not set up yet
    if any(fault.lasts for fault in present):
        sys.exit(1)


def faults() -> list[Fault]:
    return [fault for fault in (postgres_fault(), valkey_fault()) if fault]


def postgres_fault() -> Fault | None:
    """``None`` if it can be reached. Without the pool, which would only report that it waited."""
    try:
        parameters: dict[str, Any] = connection.get_connection_params()
        parameters.pop("pool", None)
        psycopg.connect(**_known(parameters) | {"connect_timeout": SECONDS}).close()
    except psycopg.Error as error:
        return _postgres(str(error))
    return None


def valkey_fault() -> Fault | None:
    client = None
    try:
        client = valkey_client(
            settings.VALKEY_URL, socket_timeout=SECONDS, socket_connect_timeout=SECONDS
        )
        client.ping()
    except (redis.RedisError, OSError, UnicodeError, ValueError, TypeError) as error:
        return _valkey(error)
    finally:
        if client is not None:
            client.close()
    return None


def _known(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters that ``psycopg.connect`` takes; the others are Django's, for its cursors."""
    own = ("context", "cursor_factory", "prepare_threshold", "isolation_level")
    return {name: value for name, value in parameters.items() if name not in own}


def _postgres(message: str) -> Fault:
    database = settings.DATABASES["default"]
    at = f"Postgres at {_places(database['HOST'], str(database['PORT']))}"
    user, name = database["USER"] or "this process's user", database["NAME"]
    known = {
        "password authentication failed": Fault(
            f"{at} refuses the password of {user}. Set it in DATABASE_URL, DATABASE_PASSWORD or "
            "DATABASE_PASSWORD_FILE.",
            lasts=True,
        ),
        "no password supplied": Fault(
            f"{at} wants a password for {user}. Set it in DATABASE_URL, DATABASE_PASSWORD or "
            "DATABASE_PASSWORD_FILE.",
            lasts=True,
        ),
        f'database "{name}" does not exist': Fault(
            f"{at} has no database {name!r} (DATABASE_URL). Make it, for example with: "
            f"createdb --owner {user} {name}",
            lasts=True,
        ),
        "does not exist": Fault(f"{at} knows no user {user!r} (DATABASE_URL).", lasts=True),
        "no pg_hba.conf entry": Fault(
            f"{at} does not let {user} in from here: see pg_hba.conf.", lasts=True
        ),
        "Peer authentication failed": Fault(
            f"{at} lets {user} in by a password over TCP or as that user of this machine only.",
            lasts=True,
        ),
    }
    for words, fault in known.items():
        if words in message:
            return fault
    if unknown := UNKNOWN_VALUE.search(message):
        name, value = unknown.groups()
        return Fault(f"DATABASE_URL has a {name} that nobody knows: {value}.", lasts=True)
    if "session is read-only" in message:
        return Fault(f"{at} takes no writes: it is a standby (DATABASE_URL).")
    if NO_SUCH_HOST.search(message):
        return Fault(f"There is no host {database['HOST']!r} (DATABASE_URL), or no name server.")
    if "refused" in message or "No such file" in message:
        return Fault(f"{at} does not answer (DATABASE_URL): nothing listens there.")
    if "timeout" in message:
        return Fault(f"{at} does not answer within {SECONDS} s (DATABASE_URL).")
    return Fault(f"{at} cannot be reached: {_first_line(message)}")


def _valkey(error: Exception) -> Fault:
    kept: dict[str, Any] = valkey_pool(settings.VALKEY_URL).connection_kwargs
    place = kept.get("path") or _place(kept.get("host", "localhost"), kept.get("port", 6379))
    if sentinels := sentinels_of(settings.VALKEY_URL):
        known = ", ".join(_place(*host) for host in sentinels.hosts)
        place = f"the server of {sentinels.service!r} (Sentinels at {known})"
        if isinstance(error, MasterNotFoundError):
            return Fault(f"No Sentinel knows {place}, or none answers (VALKEY_URL).")
    at, message = f"Valkey at {place}", str(error)
    if (
        isinstance(error, redis.AuthenticationError)
        or "NOAUTH" in message
        or "WRONGPASS" in message
    ):
        return Fault(
            f"{at} refuses the password. Set it in VALKEY_URL, VALKEY_PASSWORD or "
            "VALKEY_PASSWORD_FILE.",
            lasts=True,
        )
    if "DB index is out of range" in message:
        return Fault(f"{at} has no database {kept.get('db')} (VALKEY_URL).", lasts=True)
    if isinstance(error, TypeError) and (parameter := UNKNOWN_PARAMETER.search(message)):
        return Fault(f"VALKEY_URL has a parameter that nobody knows: {parameter[1]}.", lasts=True)
    if isinstance(error, redis.InvalidResponse):
        return Fault(f"What answers at {place} (VALKEY_URL) is not Valkey.", lasts=True)
    if NO_SUCH_HOST.search(message):
        return Fault(f"There is no host {kept.get('host')!r} (VALKEY_URL), or no name server.")
    if "refused" in message or "No such file" in message:
        return Fault(f"{at} does not answer (VALKEY_URL): nothing listens there.")
    if isinstance(error, redis.TimeoutError):
        return Fault(f"{at} does not answer within {SECONDS} s (VALKEY_URL).")
    return Fault(f"{at} cannot be reached: {_first_line(message)}")


def _places(hosts: str, ports: str) -> str:
    """Of one server or several, as libpq names them."""
    both = zip_longest(hosts.split(","), ports.split(","), fillvalue=ports)
    return ", ".join(_place(host, port or 5432) for host, port in both)


def _place(host: str, port: object) -> str:
    return host if host.startswith("/") else f"{host}:{port}"


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0]
