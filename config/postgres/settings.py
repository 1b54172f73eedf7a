"""Settings of Django and psycopg for the database."""

from typing import Any
from urllib.parse import unquote

import environ


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
        "OPTIONS": {
            **named.get("OPTIONS", {}),
            # Prepared from the third time on. Not 0: migrations send several commands at once.
            "prepare_threshold": env.int("DATABASE_PREPARE_THRESHOLD", default=2),
            "server_side_binding": True,
            "pool": {
                "min_size": 1,
                "max_size": env.int("DATABASE_POOL", default=threads + 8),
                "timeout": 3,
                "reconnect_timeout": 10,
            },
        },
        "TEST": {"NAME": env.str("TEST_DATABASE", default="test_cardroom")},
    }
