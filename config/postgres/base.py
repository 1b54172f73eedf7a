"""The database backend: see `connection_is_open`."""

import select
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool


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
