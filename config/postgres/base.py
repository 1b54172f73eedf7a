"""The database backend: see `connection_is_open` and AttemptWithBackoff."""

import select
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool
from psycopg_pool.base import AttemptWithBackoff

from config.postgres import arrays  # noqa: F401 - Django copies the adapters at the first connection

# A pool that lost its server tries after 1, 3 and 7 s, so that people would wait for twice as long
# as the server needs to come back. Now it is a third longer.
AttemptWithBackoff.INITIAL_DELAY = 0.2
AttemptWithBackoff.DELAY_BACKOFF = 1.3


def connection_is_open(connection: psycopg.Connection[Any]) -> None:
    """Raises for a connection that the server has closed.

    An idle connection has nothing to read unless the server closed it. Looking costs no round
    trip; Django's CONN_HEALTH_CHECKS make one in every request.
    """
    readable, _, _ = select.select([connection.fileno()], [], [], 0)
    if readable:
        ConnectionPool.check_connection(connection)


class DatabaseWrapper(base.DatabaseWrapper):
    @property
    def pool(self) -> Any:
        pool = super().pool
        if pool is not None:
            pool._check = connection_is_open  # noqa: SLF001  # Django offers its own or none
        return pool
