"""Reads for all listeners together, in a thread of its own.

A reading begins at most every ten milliseconds, and queries gather in between: under load there are
few and large readings, and a single query is not delayed.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from config.postgres.connections import patience

Reading = Callable[[Sequence[Any]], Sequence[Any]]
SECONDS_TO_GATHER = 0.01
AWAY = (DatabaseError, InterfaceError, OSError)

log = structlog.get_logger(__name__)


class Feed:
    """One a process. To be used in the thread of the event loop."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="feed")
        self._waiting: list[tuple[Reading, Any, asyncio.Future[Any]]] = []
        self._reading: asyncio.Task[None] | None = None
        self._begun = 0.0

    async def read(self, reading: Reading, query: Any) -> Any:
        """The result of ``reading`` for a query; raises what it raises.

        ``reading`` answers a sequence of queries at once, in order; it runs in the thread.
        """
        result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((reading, query, result))
        if self._reading is None or self._reading.done():  # done also if it was cancelled unbegun
            self._reading = asyncio.create_task(self._read_all())
        return await result

    async def _read_all(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._begun + SECONDS_TO_GATHER - time.monotonic())
            self._begun = time.monotonic()
            waiting, self._waiting = self._waiting, []
            await self._read(waiting)

    async def _read(self, waiting: list[tuple[Reading, Any, "asyncio.Future[Any]"]]) -> None:
        by_reading: dict[Reading, list[tuple[Any, asyncio.Future[Any]]]] = {}
        for reading, query, result in waiting:
            by_reading.setdefault(reading, []).append((query, result))
        work = {reading: [each[0] for each in alike] for reading, alike in by_reading.items()}
        loop = asyncio.get_running_loop()
        try:
            results = await loop.run_in_executor(self._thread, _read, work)
        except Exception as error:  # nobody waits for an answer that does not come
            log.exception("reading_failed", reading="all")
            results = {reading: [error] * len(queries) for reading, queries in work.items()}
        for reading, alike in by_reading.items():
            for (_, future), result in zip(alike, results[reading], strict=True):
                _settle(future, result)


def _settle(future: "asyncio.Future[Any]", result: Any) -> None:
    if future.done():  # its listener has left
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


def _read(work: dict[Reading, list[Any]]) -> dict[Reading, Sequence[Any]]:
    """A result or an exception for each query; the connection goes back to the pool."""
    results: dict[Reading, Sequence[Any]] = {}
    for reading, queries in work.items():
        try:
            with patience(settings.WAIT_SECONDS / 2):
                results[reading] = reading(queries)
        except Exception as error:
            if not isinstance(error, AWAY):
                log.exception("reading_failed", reading=reading.__name__)
            results[reading] = [error] * len(queries)
    connection.close()
    return results
