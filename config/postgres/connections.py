"""Lost connections: the errors that mean it, and how long a thread waits for the database."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import TracebackType
from typing import Any, Final

import psycopg
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.db.utils import DatabaseErrorWrapper
from psycopg.errors import _WaitTimeout as TimeIsUp

LOST: Final = (OperationalError, InterfaceError)
"""The connection is gone; whether a write that was sent has happened is not known."""


class ReadOnly(OperationalError):
    """The database takes no writes: it is a standby, or its disk is full. Nothing was written.

    The connection is gone too: another one may reach a database that does.
    """


READ_ONLY: Final = "25006"


class Errors(DatabaseErrorWrapper):
    """A database that only reads counts as lost, with every connection to it."""

    wrapper: Any

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            return
        if getattr(error, "sqlstate", None) == READ_ONLY:
            self.wrapper.leave_read_only()
            raise ReadOnly(*getattr(error, "args", ())).with_traceback(trace) from error
        super().__exit__(kind, error, trace)


FEW_ROWS: Final = (
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; "
    "SET plan_cache_mode = force_generic_plan; SET jit = off"
)
NAME_THE_SERVER: Final = (
    "Between here and Postgres is a pooler, whose connections would keep the settings of this "
    "session for others. Name the server itself by DATABASE_DIRECT_URL."
)
_planned = threading.local()


class Patience(threading.local):
    """``left``: seconds that the thread still waits; ``None``: as long as the server lets it."""

    left: float | None = None


patience_of_thread: Final = Patience()


def leave_connection() -> None:
    """The next statement gets another connection; a broken one does not go back to the pool."""
    if not connection.in_atomic_block:
        connection.close()


def behind_a_pooler() -> bool:
    """Whether another process answers than the one that was connected to, such as PgBouncer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
        return bool(pid != connection.connection.info.backend_pid)


def connect_directly() -> bool:
    """From now on in this process, past a pooler; whether no pooler is left in between."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    connection.settings_dict.update(settings.DIRECT_DATABASE)
    return bool(settings.DIRECT_DATABASE) or not behind_a_pooler()


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


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """So long this thread waits for the database within, in all; then it counts as lost.

    For who has somebody waiting. A server that was frozen closes no connection and runs no time
    limit of its own.
    """
    before = patience_of_thread.left
    patience_of_thread.left = max(0.0, seconds)
    try:
        yield
    finally:
        patience_of_thread.left = before


def waited_since(begun: float) -> None:
    """Takes the time since then from the patience that is left; ``begun`` is of ``monotonic``."""
    if (left := patience_of_thread.left) is not None:
        patience_of_thread.left = max(0.0, left - (monotonic() - begun))


_took_writes: Final[dict[str, tuple[str, str]]] = {}


def _in_order(given: dict[str, Any]) -> dict[str, Any]:
    """Of several servers the one to which this process came last stands first: one that went
    silently would cost every new connection the time that each is tried for.
    """
    hosts, ports = (str(given.get(name) or "").split(",") for name in ("host", "port"))
    last = _took_writes.get(given.get("host", ""))
    if len(hosts) == 1 or last is None or "hostaddr" in given:
        return given
    servers = list(zip(hosts, ports * (len(hosts) if len(ports) == 1 else 1), strict=True))
    servers.sort(key=lambda server: (server[0], server[1] or "5432") != last)
    named = zip(("host", "port"), map(",".join, zip(*servers, strict=True)), strict=True)
    return given | dict(named)


class PatientConnection(psycopg.Connection[Any]):
    """Is closed when its thread has waited for too long: what it was asked may still happen."""

    @classmethod
    def connect(cls, conninfo: str = "", **given: Any) -> Any:
        made = super().connect(conninfo, **_in_order(given))
        _took_writes[given.get("host", "")] = made.info.host, str(made.info.port)
        return made

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        left = patience_of_thread.left
        if left is None or timeout is not None:
            return super().wait(gen, interval, timeout)
        begun = monotonic()
        try:
            return super().wait(gen, interval, left)
        except TimeIsUp:
            self.close()
            raise psycopg.OperationalError("The database did not answer in time.") from None
        finally:
            waited_since(begun)
