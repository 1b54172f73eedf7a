"""The database backend: how connections are checked, waited for and given up."""

import select
from time import monotonic
from typing import Any, Final

import psycopg
from django.db.backends.postgresql import base
from django.utils.functional import cached_property
from psycopg_pool import ConnectionPool
from psycopg_pool.base import AttemptWithBackoff

from config.postgres import arrays  # noqa: F401 - Django copies the adapters at the first connection
from config.postgres.connections import Errors, patience_of_thread, waited_since

# A pool that lost its server tries after 1, 3 and 7 s, so that people would wait for twice as long
# as the server needs to come back. Now it is a third longer.
AttemptWithBackoff.INITIAL_DELAY = 0.2
AttemptWithBackoff.DELAY_BACKOFF = 1.3

SECONDS_BETWEEN_DRAINS: Final = 1.0


def connection_is_open(connection: psycopg.Connection[Any]) -> None:
    """Raises for a connection that the server has closed.

    An idle connection has nothing to read unless the server closed it. Looking costs no round
    trip; Django's CONN_HEALTH_CHECKS make one in every request.
    """
    readable, _, _ = select.select([connection.fileno()], [], [], 0)
    if readable:
        ConnectionPool.check_connection(connection)


class DatabaseWrapper(base.DatabaseWrapper):
    _drained_at = 0.0

    @cached_property
    def wrap_database_errors(self) -> Errors:
        return Errors(self)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """As Django's, but a pool is waited for no longer than the thread has patience."""
        pool, left = self.pool, patience_of_thread.left
        if pool is not None:
            pool._check = connection_is_open  # noqa: SLF001  # Django offers its own or none
        if pool is None or left is None:
            return super().get_new_connection(conn_params)
        self.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        pool.open()
        begun = monotonic()
        try:
            return pool.getconn(timeout=min(pool.timeout, left))
        finally:
            waited_since(begun)

    def leave_read_only(self) -> None:
        """Closes the connection and those that wait in the pool.

        They are to the same server, or were begun while it only read. In a transaction the closed
        one makes it end.
        """
        pool, raw = self.pool, self.connection
        if raw is not None:
            raw.close()
        if not self.in_atomic_block:
            self.close()
        if pool is not None and monotonic() > DatabaseWrapper._drained_at + SECONDS_BETWEEN_DRAINS:
            DatabaseWrapper._drained_at = monotonic()
            pool.drain()
