"""Addresses of Postgres and Valkey with their settings, secrets, and the content security policy.

A wrong one is a sentence that names the variable, says what is wrong and shows a right one. No
sentence repeats a value: it may hold a password.
"""

import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

import environ
import psycopg
from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

from config.postgres.connections import PatientConnection
from config.valkey import SENTINEL, valkey_pool

POSTGRES: Final = "postgres://cardroom@db.example/cardroom"
SEVERAL: Final = "postgres://cardroom@db1.example,db2.example/cardroom"
VALKEY: Final = "valkey://valkey.example:6379/0"
SENTINELS: Final = "valkey+sentinel://a.example,b.example,c.example:26379/mymaster/0"
ENTRIES: Final = {
    "NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port",
}  # fmt: skip
UNREADABLE: Final = re.compile(r"[\s\x00-\x1f]")
PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
UNKNOWN_PARAMETER: Final = re.compile(r'invalid URI query parameter: "(\w+)"')
HIGHEST_PORT: Final = 65535


def check_database_url(url: str, name: str = "DATABASE_URL") -> None:
    """Raises ``ImproperlyConfigured`` for what libpq does not take, and for what would not work."""
    example = POSTGRES
    _check_text(name, url, example)
    _check_scheme(name, url, ("postgres", "postgresql", "psql", "pgsql"), example)
    given = _given(name, url)
    hosts, ports = (given.get(part, "").split(",") for part in ("host", "port"))
    for port in ports:
        _check_port(name, port, example)
    if not {"host", "hostaddr", "service"} & given.keys():
        raise _wrong(
            name,
            "names no host. Of a socket its folder is the host, such as "
            "postgres://cardroom@%2Fvar%2Frun%2Fpostgresql/cardroom",
            example,
        )
    if len(hosts) > 1 and "" in hosts:
        raise _wrong(name, "has a comma with no host beside it", SEVERAL)
    if len(ports) not in (1, len(hosts)):
        raise _wrong(name, "has neither one port for all hosts nor one for each", SEVERAL)
    if not {"dbname", "service"} & given.keys():
        raise _wrong(name, "names no database", example)


def _given(name: str, url: str) -> dict[str, str]:
    """The parameters of the address, as libpq reads it."""
    try:
        read = conninfo_to_dict("postgres://" + url.partition("://")[2])
    except psycopg.ProgrammingError as error:
        if parameter := UNKNOWN_PARAMETER.search(str(error)):
            fault = f"has a parameter that libpq does not know: {parameter[1]}"
            raise _wrong(name, fault, POSTGRES) from None
        raise _wrong(name, "cannot be read as an address", POSTGRES) from None
    return {part: str(value) for part, value in read.items()}


def check_valkey_url(url: str) -> None:
    """Raises ``ImproperlyConfigured``."""
    name, example = "VALKEY_URL", VALKEY
    _check_text(name, url, example)
    schemes = ("valkey", "valkeys", "redis", "rediss", "unix")
    by_sentinels = tuple(f"{scheme}{SENTINEL}" for scheme in schemes[:-1])
    scheme = _check_scheme(name, url, (*schemes, *by_sentinels), example)
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _wrong(name, "cannot be read as an address", example) from None
    if scheme == "unix":
        if not parts.path.strip("/"):
            raise _wrong(name, "names no socket", "unix:///run/valkey/valkey.sock")
        return
    hosts, path = parts.netloc.rpartition("@")[2].split(","), parts.path
    if scheme in by_sentinels:
        example = SENTINELS
        if not path.strip("/") or path.strip("/").isdigit():
            raise _wrong(name, "does not name what its Sentinels call the server", example)
        path = path[1:].partition("/")[2]
    elif len(hosts) > 1:
        raise _wrong(name, "names several servers; only Sentinels are several", SENTINELS)
    for host in hosts:
        _check_host(name, host, example)
    if not re.fullmatch(r"/?\d*", path):
        raise _wrong(name, "ends in something that is not the number of a database", example)
    try:
        valkey_pool(redis_url(url))
    except ValueError as error:
        parameter = re.search(r"Invalid value for '(\w+)'", str(error))
        fault = f"has a value that {parameter[1] if parameter else 'a parameter'} does not take"
        raise _wrong(name, fault, example) from None


def _check_host(name: str, text: str, example: str) -> None:
    host, bracket, rest = text.rpartition("]")
    named, _, port = rest.partition(":")
    if not host + named:
        raise _wrong(name, "names no host", example)
    if (bracket and named) or (bracket and not host.startswith("[")):
        raise _wrong(name, "cannot be read as an address", example)
    if ":" in rest:
        _check_port(name, port or "none", example)


def _check_text(name: str, url: str, example: str) -> None:
    if UNREADABLE.search(url):
        raise _wrong(name, "has a space or a line break in it", example)
    if PERCENT.search(url):
        raise _wrong(name, "has a % that begins no code; a % itself is written %25", example)
    if "#" in url:
        raise _wrong(name, "has a # in it; in a password it is written %23", example)
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", url):
        raise _wrong(name, "is not an address", example)


def _check_scheme(name: str, url: str, known: tuple[str, ...], example: str) -> str:
    scheme = url.partition("://")[0].lower()
    if scheme not in known:
        begins = " or ".join(f"{each}://" for each in known[:2])
        raise _wrong(name, f"begins with {scheme}://, not with {begins}", example)
    return scheme


def _check_port(name: str, port: str, example: str) -> None:
    """An empty one is the usual one."""
    if port and not (re.fullmatch("[0-9]{1,5}", port) and 1 <= int(port) <= HIGHEST_PORT):
        fault = f"has a port that is no number from 1 to {HIGHEST_PORT}"
        raise _wrong(name, f"{fault}; a : or / in a password is written %3A or %2F", example)


def _wrong(name: str, what: str, example: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} {what}. For example {name}={example}")


# Secrets from the environment, or from the file that ``<name>_FILE`` names.
#
# A file keeps a secret out of the list of processes and out of what an engine shows of
# containers.


def secret(env: environ.Env, name: str) -> str:
    """The secret without the line break at its end; empty if it is named nowhere."""
    path: str = env.str(f"{name}_FILE", default="")
    if not path:
        return str(env.str(name, default=""))
    try:
        return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error}") from error


def with_password(url: str, password: str) -> str:
    """The address with a password of any characters, instead of the one that stands there."""
    scheme, separator, rest = url.partition("://")
    if not password:
        return url
    authority, slash, path = rest.partition("/")
    user, at, host = authority.rpartition("@")
    name = user.partition(":")[0] if at else ""
    return f"{scheme}{separator}{name}:{quote(password, safe='')}@{host}{slash}{path}"


# Sources that a page may load from: everything from here, no script inside the page.

POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
# The admin alone. Its theme brings Alpine, which evaluates what stands in attributes and writes
# style attributes; no script stands in a page. The two style elements, of the theme's colours and
# of its htmx, are known by their content: `make e2e` prints what another release brings.
ADMIN_ALSO = {
    "script-src": [UNSAFE_EVAL],
    "style-src": [
        "'sha256-CftXQ/6rIQ3AMOrJUsQzoK+KGLgk4scJJlfXyvE/1mQ='",
        "'sha256-bsV5JivYxvGywDAZ22EZJKBFip65Ng9xoJVLbBg7bdo='",
    ],
    "style-src-attr": [UNSAFE_INLINE],
}
# The documentation alone: its search opens in a shadow root with a style element of its own, known
# by its content as above.
DOCUMENTATION_ALSO = {"style-src": ["'sha256-NwSx/R2V/U4jnW0Tq5pQ53Y/rzPVJ4dqE7D6UTA/J1k='"]}

# Settings of Django and psycopg for the database.


def database(
    env: environ.Env, url: str, *, threads: int, is_primary: bool = True
) -> dict[str, Any]:
    """An entry of DATABASES, with a pool for a process with this many threads."""
    given = _given("DATABASE_URL", url)
    several = _several(given) if is_primary else {}
    return {
        "ENGINE": "config.postgres",
        **{entry: given.pop(part, "") for entry, part in ENTRIES.items()},
        "ATOMIC_REQUESTS": False,
        "CONN_MAX_AGE": 0,
        # config.postgres looks at the socket instead, without a round trip.
        "CONN_HEALTH_CHECKS": False,
        # Behind a pooler the next statement may come to another server process.
        "DISABLE_SERVER_SIDE_CURSORS": not _has_sessions(env),
        "OPTIONS": {
            **_session(env),
            **several,
            **given,
            # Prepared from the third time on. Not 0: migrations send several commands at once.
            "prepare_threshold": _prepare_threshold(env),
            "server_side_binding": True,
            "pool": {
                "min_size": 0,
                "max_size": env.int("DATABASE_POOL", default=threads + 8),
                "timeout": 3,
                "max_idle": 15,  # then an idle process keeps none: it costs Postgres 3 to 13 MB
                "reconnect_timeout": 10,
                "connection_class": PatientConnection,
            },
        },
        "TEST": {"NAME": env.str("TEST_DATABASE", default="test_cardroom")}
        if is_primary
        else {"MIRROR": "default"},
    }


def _several(given: dict[str, str]) -> dict[str, Any]:
    """Of several servers the one that takes writes is sought, each for two seconds."""
    if "," not in given.get("host", given.get("hostaddr", "")):
        return {}
    return {"target_session_attrs": "read-write", "connect_timeout": 2}


def _prepare_threshold(env: environ.Env) -> int | None:
    """``none`` prepares nothing, for a pooler that does not know prepared statements."""
    threshold = env.str("DATABASE_PREPARE_THRESHOLD", default="2")
    return None if threshold == "none" else int(threshold)


def _has_sessions(env: environ.Env) -> bool:
    return bool(env.bool("DATABASE_SESSION", default=True))


def _session(env: environ.Env) -> dict[str, Any]:
    """The parameters of every connection: time limits, and no compiled plans.

    Compiling a plan (jit) takes longer than any of our statements. pgbouncer takes no such options:
    there ``DATABASE_SESSION=false``, and the same settings by ALTER ROLE.
    """
    silence = env.int("DATABASE_ANSWER_SECONDS", default=5)
    patience: dict[str, Any] = {
        "connect_timeout": 3,
        # A server that went silently, with its machine or the network: noticed after as long
        # while something is sent, and not much later while an answer is waited for.
        "tcp_user_timeout": 1000 * silence,
        "keepalives_idle": max(1, silence - 2),
        "keepalives_interval": 1,
        "keepalives_count": 2,
    }
    if not _has_sessions(env):
        return patience
    limits = {
        "statement_timeout": env.int("DATABASE_STATEMENT_SECONDS", default=30),
        "lock_timeout": env.int("DATABASE_LOCK_SECONDS", default=5),
        "idle_in_transaction_session_timeout": env.int("DATABASE_IDLE_SECONDS", default=60),
    }
    parameters = [f"-c {name}={seconds}s" for name, seconds in limits.items()]
    return patience | {"options": " ".join(["-c jit=off", *parameters])}


def redis_url(url: str) -> str:
    """The address of Valkey as redis-py reads it, which does not know Valkey's own schemes."""
    scheme, separator, rest = url.partition("://")
    server, plus, sentinel = scheme.lower().partition("+")
    known = {"valkey": "redis", "valkeys": "rediss"}
    return known.get(server, server) + plus + sentinel + separator + rest
