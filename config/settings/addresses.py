"""Addresses of Postgres and Valkey with their settings, secrets, and the content security policy.

A wrong one is a sentence that names the variable, says what is wrong and shows a right one. No
sentence repeats a value: it may hold a password.
"""

import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

import environ
from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured

from config.postgres.connections import PatientConnection

POSTGRES: Final = "postgres://cardroom@db.example/cardroom"
VALKEY: Final = "valkey://valkey.example:6379/0"
UNREADABLE: Final = re.compile(r"[\s\x00-\x1f]")
PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
HIGHEST_PORT: Final = 65535


def check_database_url(url: str) -> None:
    """Raises ``ImproperlyConfigured``."""
    name, example = "DATABASE_URL", POSTGRES
    parts = _read(name, url, example)
    _check_scheme(name, parts, ("postgres", "postgresql", "psql", "pgsql"), example)
    _check_port(name, parts, example)
    if not parts.hostname and "host" not in parse_qs(parts.query):
        raise _wrong(
            name,
            "names no host. Of a socket its folder is the host, such as "
            "postgres://cardroom@%2Fvar%2Frun%2Fpostgresql/cardroom",
            example,
        )
    if not unquote(parts.path).strip("/"):
        raise _wrong(name, "names no database", example)


def check_valkey_url(url: str) -> None:
    """Raises ``ImproperlyConfigured``."""
    name, example = "VALKEY_URL", VALKEY
    parts = _read(name, url, example)
    _check_scheme(name, parts, ("valkey", "valkeys", "redis", "rediss", "unix"), example)
    if parts.scheme == "unix":
        if not parts.path.strip("/"):
            raise _wrong(name, "names no socket", "unix:///run/valkey/valkey.sock")
        return
    _check_port(name, parts, example)
    if not parts.hostname:
        raise _wrong(name, "names no host", example)
    if not re.fullmatch(r"/?\d*", parts.path):
        raise _wrong(name, "ends in something that is not the number of a database", example)


def _read(name: str, url: str, example: str) -> SplitResult:
    if UNREADABLE.search(url):
        raise _wrong(name, "has a space or a line break in it", example)
    if PERCENT.search(url):
        raise _wrong(name, "has a % that begins no code; a % itself is written %25", example)
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _wrong(name, "cannot be read as an address", example) from None
    if parts.fragment or "#" in url:
        raise _wrong(name, "has a # in it; in a password it is written %23", example)
    if parts.scheme == "" or "://" not in url:
        raise _wrong(name, "is not an address", example)
    return parts


def _check_scheme(name: str, parts: SplitResult, known: tuple[str, ...], example: str) -> None:
    if parts.scheme not in known:
        begins = " or ".join(f"{scheme}://" for scheme in known[:2])
        raise _wrong(name, f"begins with {parts.scheme}://, not with {begins}", example)


def _check_port(name: str, parts: SplitResult, example: str) -> None:
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port is not None and not 1 <= port <= HIGHEST_PORT:
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


def database(env: environ.Env, url: str, *, threads: int) -> dict[str, Any]:
    """An entry of DATABASES, with a pool for a process with this many threads."""
    named: dict[str, Any] = env.db_url_config(url)
    return named | {
        "ENGINE": "config.postgres",
        "HOST": unquote(str(named["HOST"])),  # a socket's folder comes with %2F
        "ATOMIC_REQUESTS": False,
        "CONN_MAX_AGE": 0,
        # config.postgres looks at the socket instead, without a round trip.
        "CONN_HEALTH_CHECKS": False,
        # Behind a pooler the next statement may come to another server process.
        "DISABLE_SERVER_SIDE_CURSORS": not _has_sessions(env),
        "OPTIONS": {
            **_session(env),
            **named.get("OPTIONS", {}),
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
        "TEST": {"NAME": env.str("TEST_DATABASE", default="test_cardroom")},
    }


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
    patience: dict[str, Any] = {
        "connect_timeout": 3,
        "tcp_user_timeout": 1000 * env.int("DATABASE_ANSWER_SECONDS", default=40),
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


# The address of Valkey in the two forms that its clients read.


def redis_url(url: str) -> str:
    """The address as redis-py reads it, which does not know Valkey's own schemes."""
    scheme, separator, rest = url.partition("://")
    known = {"valkey": "redis", "valkeys": "rediss"}
    return known.get(scheme, scheme) + separator + rest


def broker_url(url: str) -> str:
    """The same server as Celery's transport reads it; ``url`` comes from ``redis_url``."""
    scheme, _, rest = url.partition("://")
    if scheme != "unix":
        return url
    path, _, query = rest.partition("?")
    number = dict(pair.split("=", 1) for pair in query.split("&") if pair).get("db", "0")
    return f"redis+socket://{path}?virtual_host={number}"
