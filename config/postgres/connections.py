"""Lost connections: the errors that mean it, and how to get another connection."""

import threading
from typing import Any, Final

from django.db import InterfaceError, OperationalError, connection

LOST: Final = (OperationalError, InterfaceError)
"""The connection is gone; whether a write that was sent has happened is not known."""

FEW_ROWS: Final = (
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; "
    "SET plan_cache_mode = force_generic_plan; SET jit = off"
)
_planned = threading.local()


def leave_connection() -> None:
    """The next statement gets another connection; a broken one does not go back to the pool."""
    if not connection.in_atomic_block:
        connection.close()


def plan_for_few_rows() -> None:
    """From now on this thread's connection finds rows by their indexes, also in tables still empty.

    A prepared plan is kept. One that was made for an empty table would read all of a grown one
    until Postgres analyses it. It is made once for all parameters: for an array Postgres would
    plan every time again, which costs more than the statement itself.

    Raises one of LOST for a connection that was just lost; then the next call gets another one.
    """
    connection.ensure_connection()
    raw: Any = connection.connection
    if getattr(_planned, "connection", None) is raw:
        return
    try:
        with connection.wrap_database_errors:
            raw.execute(FEW_ROWS)
    except LOST:
        leave_connection()
        raise
    _planned.connection = raw
