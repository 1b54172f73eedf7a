"""A connection that may be lost: what says so, and how to get another one."""

from typing import Final

from django.db import InterfaceError, OperationalError, connection

LOST: Final = (OperationalError, InterfaceError)
"""The connection is gone; what became of a write that was on its way is not known."""


def leave_connection() -> None:
    """The next statement gets another connection; a broken one does not go back to the pool."""
    if not connection.in_atomic_block:
        connection.close()
