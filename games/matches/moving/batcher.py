"""Moves and reads that come in at the same time, taken together: one a process.

An ask that finds no lane at work is taken at the next tick of the event loop, so that it waits for
nothing. Under load asks gather while a lane is at work: the more there are, the less each of them
costs. A lane is a thread with a database connection of its own. The second one is for the case that
the first is held up, by a lock for example; two that share the load would make smaller batches.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, TypeVar
from uuid import UUID

import structlog

from config.postgres.connections import LOST, leave_connection, plan_for_few_rows
from games.matches.moving import moves, reads
from games.matches.moving.judging import AppliedMove, Ask
from games.matches.moving.moves import Verdict
from games.matches.moving.snapshot_cache import SnapshotCache
from games.matches.refusals import NotKnown
from games.matches.selectors.access import MatchAccess, Wanted

LARGEST: Final = 64
LANES: Final = 2
PATIENCE: Final = 0.02  # seconds that a lane may be at work before the next one is used

T = TypeVar("T")
Asked = Ask | Wanted
Answer = Verdict | MatchAccess | None


log = structlog.get_logger(__name__)


class Batcher:
    """To be used on one event loop."""

    def __init__(self, cache: SnapshotCache) -> None:
        self._cache = cache
        self._threads = ThreadPoolExecutor(LANES, thread_name_prefix="lane")
        self._at_work, self._taken_at = 0, 0.0
        self._waiting: deque[tuple[Asked, asyncio.Future[Any]]] = deque()
        self._being_written: set[UUID] = set()
        self._flush_call: asyncio.Handle | None = None

    async def play(self, ask: Ask) -> AppliedMove:
        """As ``moves.play``."""
        answer: AppliedMove = await self._put(ask)
        return answer

    async def read(self, wanted: Wanted) -> MatchAccess | None:
        """As ``find_match``."""
        answer: MatchAccess | None = await self._put(wanted)
        return answer

    async def in_a_lane(self, work: Callable[[], T]) -> T:
        """Something else that asks the database."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _put(self, asked: Asked) -> "asyncio.Future[Any]":
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, future))
        self._call()
        return future

    def _call(self) -> None:
        """Lets what waits be taken soon, or when the lane at work has been so for too long."""
        if self._flush_call is not None or not self._waiting or self._at_work == LANES:
            return
        loop = asyncio.get_running_loop()
        if self._at_work:
            self._flush_call = loop.call_at(self._taken_at + PATIENCE, self._flush)
        else:
            self._flush_call = loop.call_soon(self._flush)

    def _flush(self) -> None:
        if self._flush_call is not None:
            self._flush_call.cancel()
            self._flush_call = None
        batch = self._batch()
        if not batch:
            return
        loop = asyncio.get_running_loop()
        self._at_work, self._taken_at = self._at_work + 1, loop.time()
        work = loop.run_in_executor(self._threads, self._work, [asked for asked, _ in batch])
        work.add_done_callback(lambda done: self._done(batch, done))
        self._call()

    def _batch(self) -> list[tuple[Asked, "asyncio.Future[Any]"]]:
        """What may go now: of each match one move, and none while one of it is written."""
        batch: list[tuple[Asked, asyncio.Future[Any]]] = []
        later: list[tuple[Asked, asyncio.Future[Any]]] = []
        while self._waiting and len(batch) < LARGEST:
            asked, future = self._waiting.popleft()
            if isinstance(asked, Ask):
                if asked.match_id in self._being_written:
                    later.append((asked, future))
                    continue
                self._being_written.add(asked.match_id)
            batch.append((asked, future))
        self._waiting.extendleft(reversed(later))
        return batch

    def _work(self, asks: Sequence[Asked]) -> list[Answer]:
        """In a lane. What fails in an unforeseen way must not leave it with a broken connection."""
        try:
            return self._answers(asks)
        except Exception:
            leave_connection()
            raise

    def _answers(self, asks: Sequence[Asked]) -> list[Answer]:
        with suppress(*LOST):  # then the first statement says so
            plan_for_few_rows()
        wanted = [asked for asked in asks if isinstance(asked, Wanted)]
        found = iter(reads.read_all(wanted, self._cache) if wanted else ())
        to_play = [asked for asked in asks if isinstance(asked, Ask)]
        played = iter(moves.play_all(to_play, self._cache) if to_play else ())
        return [next(found if isinstance(asked, Wanted) else played) for asked in asks]

    def _done(
        self,
        batch: "Sequence[tuple[Asked, asyncio.Future[Any]]]",
        done: "asyncio.Future[list[Answer]]",
    ) -> None:
        self._at_work -= 1
        error = asyncio.CancelledError() if done.cancelled() else done.exception()
        answers = done.result() if error is None else [_unforeseen(error)] * len(batch)
        for (asked, future), answer in zip(batch, answers, strict=True):
            if isinstance(asked, Ask):
                self._being_written.discard(asked.match_id)
            if future.done():
                continue  # its caller has left
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        self._flush()


def _unforeseen(error: BaseException) -> NotKnown:
    """A fault of ours. It may have come after the write, so no move is judged again."""
    log.error("batch_failed", exc_info=error)
    return NotKnown()
