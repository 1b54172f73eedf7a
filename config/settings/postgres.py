"""Settings of Django and psycopg for the database."""

from typing import Any
from urllib.parse import unquote

import environ

from config.postgres.connections import PatientConnection


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
