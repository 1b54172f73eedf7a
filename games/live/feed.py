"""Reads for all listeners that ask at the same time together, in a thread of its own.

A reading begins at most every ten milliseconds, and questions gather in between: under load it is
few and large readings, and a single question is not delayed.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError, connection

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

    async def ask(self, reading: Reading, question: Any) -> Any:
        """The answer that ``reading`` gives for a question; raises what it raises.

        ``reading`` answers a sequence of questions at once, in order; it runs in the thread.
        """
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((reading, question, answer))
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_all())
        return await answer

    async def _read_all(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(self._begun + SECONDS_TO_GATHER - time.monotonic())
                self._begun = time.monotonic()
                asked, self._waiting = self._waiting, []
                await self._read(asked)
        finally:
            self._reading = None

    async def _read(self, asked: list[tuple[Reading, Any, "asyncio.Future[Any]"]]) -> None:
        by_reading: dict[Reading, list[tuple[Any, asyncio.Future[Any]]]] = {}
        for reading, question, answer in asked:
            by_reading.setdefault(reading, []).append((question, answer))
        work = {reading: [each[0] for each in alike] for reading, alike in by_reading.items()}
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._thread, _read, work)
        for reading, alike in by_reading.items():
            for (_, future), answer in zip(alike, found[reading], strict=True):
                _settle(future, answer)


def _settle(future: "asyncio.Future[Any]", answer: Any) -> None:
    if future.done():  # who asked has left
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)


def _read(work: dict[Reading, list[Any]]) -> dict[Reading, Sequence[Any]]:
    """An answer or an exception for each question; the connection goes back to the pool."""
    found: dict[Reading, Sequence[Any]] = {}
    for reading, questions in work.items():
        try:
            found[reading] = reading(questions)
        except Exception as error:
            if not isinstance(error, AWAY):
                log.exception("reading_failed", reading=reading.__name__)
            found[reading] = [error] * len(questions)
    connection.close()
    return found
