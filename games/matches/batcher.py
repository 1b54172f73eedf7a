"""Moves and reads that come in at the same time, taken together: one a process.

A request that finds no lane at work is taken at the next tick of the event loop, so it waits for
nothing. Under load requests gather while a lane is at work: the more there are, the less each
costs. So the next batch waits for a moment after one of several: who was just answered asks again.

A lane is a thread with a database connection of its own. The second one is for the case that the
first is held up, by a lock for example; two that share the load would make smaller batches.

Nobody waits for longer than WAIT_SECONDS: half of it for a lane, the rest in it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection
from psycopg import pq

from config.api.errors import Overloaded
from config.postgres.arrays import Rows
from config.postgres.connections import LOST, leave_connection, patience, plan_for_few_rows
from config.server.threaded_wsgi import in_a_thread
from games.matches import moves
from games.matches.moves import AppliedMove, MoveRequest, SnapshotCache, Verdict
from games.matches.refusals import BrokeInTheWrite, NotKnown
from games.matches.selectors.access import MatchAccess, Wanted, find_each

# Matches for readers, many at once: of a kept match only its version is read.

_KEPT = Rows(
    {"n": "integer", "id": "uuid", "version": "integer", "at": "timestamp with time zone"}
    | {"digest": "text", "scope": "text", "owner": "uuid"}
)
_CURRENT_SQL = """
SELECT v.n FROM {rows}
CROSS JOIN LATERAL (SELECT * FROM games_match WHERE id = v.id LIMIT 1) m
JOIN accounts_key k ON k.digest = v.digest AND k.user_id = v.owner AND v.scope = ANY(k.scopes)
    AND (k.expires_at IS NULL OR k.expires_at > now())
JOIN accounts_user u ON u.id = k.user_id AND u.is_active
WHERE m.version = v.version AND m.updated_at = v.at AND m.status = 'active'
"""


def read_all(
    wanted: Sequence[Wanted], cache: SnapshotCache
) -> list[MatchAccess | Exception | None]:
    """As ``find_each``; the error for each if the database is unreachable."""
    try:
        return list(_read(wanted, cache))
    except LOST:
        leave_connection()
    try:
        return list(find_each(wanted))
    except LOST as error:
        leave_connection()
        return [error] * len(wanted)


def _read(wanted: Sequence[Wanted], cache: SnapshotCache) -> list[MatchAccess | None]:
    accesses = [cache.find(one) for one in wanted]
    current = _current(wanted, accesses)
    stale = [n for n in range(len(wanted)) if n not in current]
    if stale:
        read = find_each([wanted[n] for n in stale])
        for n, access in zip(stale, read, strict=True):
            accesses[n] = access
            if access is not None:
                cache.keep(wanted[n], access)
    return accesses


def _current(wanted: Sequence[Wanted], accesses: Sequence[MatchAccess | None]) -> set[int]:
    """The numbers of those whose kept match and key are as the database has them."""
    rows = [
        (
            *(n, kept.match.id, kept.match.version, kept.match.updated_at),
            *(one.caller.digest, one.caller.scope, kept.user),
        )
        for n, (one, kept) in enumerate(zip(wanted, accesses, strict=True))
        if kept is not None
    ]
    if not rows:
        return set()
    with connection.cursor() as cursor:
        cursor.cursor.format = pq.Format.BINARY
        cursor.execute(_CURRENT_SQL.format(rows=_KEPT.sql(rows)), _KEPT.values(rows))
        return {n for (n,) in cursor.fetchall()}


LARGEST: Final = 64
LANES: Final = 2
GATHERING: Final = 0.005  # seconds between two batches under load
PATIENCE: Final = 0.02  # seconds that a lane may be at work before the next one is used

T = TypeVar("T")
Request = MoveRequest | Wanted
Answer = Verdict | MatchAccess | None

log = structlog.get_logger(__name__)


class Waiting(NamedTuple):
    request: Request
    future: "asyncio.Future[Any]"
    since: float  # of the event loop's time


class Batcher:
    """To be used on one event loop."""

    def __init__(self, cache: SnapshotCache) -> None:
        self._cache = cache
        self._threads = ThreadPoolExecutor(LANES, thread_name_prefix="lane")
        self._at_work, self._taken_at = 0, 0.0
        self._waiting: deque[Waiting] = deque()
        self._being_written: set[UUID] = set()
        self._flush_call: asyncio.Handle | None = None
        self._expiry: asyncio.TimerHandle | None = None
        self._seconds = settings.WAIT_SECONDS / 2

    async def play(self, request: MoveRequest) -> AppliedMove:
        """As ``moves.play``."""
        answer: AppliedMove = await self._put(request)
        return answer

    async def read(self, wanted: Wanted) -> MatchAccess | None:
        """As ``find_match``."""
        answer: MatchAccess | None = await self._put(wanted)
        return answer

    async def in_a_lane(self, work: Callable[[], T]) -> T:
        """Other work that needs the database."""

        def patient() -> T:
            with patience(self._seconds):
                return work()

        return await in_a_thread(self._threads, self._seconds, patient)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _put(self, request: Request) -> "asyncio.Future[Any]":
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._waiting.append(Waiting(request, future, loop.time()))
        if self._expiry is None:
            self._expiry = loop.call_later(self._seconds, self._expire)
        self._call()
        return future

    def _expire(self) -> None:
        """Refuses those who have waited for a lane for too long; looks again for the next."""
        loop = asyncio.get_running_loop()
        latest = loop.time() - self._seconds
        while self._waiting and self._waiting[0].since <= latest:
            future = self._waiting.popleft().future
            if not future.done():
                future.set_exception(Overloaded())
        self._expiry = (
            loop.call_at(self._waiting[0].since + self._seconds, self._expire)
            if self._waiting
            else None
        )

    def _call(self) -> None:
        """Schedules the waiting requests: at once, or when the lane is busy for too long."""
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
        requests = [waiting.request for waiting in batch]
        work = loop.run_in_executor(self._threads, self._work, requests)
        work.add_done_callback(lambda done: self._done(batch, done))
        self._call()

    def _batch(self) -> "list[Waiting]":
        """The requests that may go now: of a match one move, none while one is written."""
        batch: list[Waiting] = []
        later: list[Waiting] = []
        while self._waiting and len(batch) < LARGEST:
            waiting = self._waiting.popleft()
            request = waiting.request
            if isinstance(request, MoveRequest):
                if request.match_id in self._being_written:
                    later.append(waiting)
                    continue
                self._being_written.add(request.match_id)
            batch.append(waiting)
        self._waiting.extendleft(reversed(later))
        return batch

    def _work(self, requests: Sequence[Request]) -> list[Answer]:
        """Runs in a lane. An unforeseen error must not leave the lane with a broken connection."""
        try:
            with patience(self._seconds):
                return self._answers(requests)
        except Exception:
            leave_connection()
            raise

    def _answers(self, requests: Sequence[Request]) -> list[Answer]:
        with suppress(*LOST):  # then the first statement says so
            plan_for_few_rows()
        wanted = [request for request in requests if isinstance(request, Wanted)]
        read = iter(self._read(wanted) if wanted else ())
        move_requests = [request for request in requests if isinstance(request, MoveRequest)]
        played = iter(moves.play_all(move_requests, self._cache) if move_requests else ())
        return [next(read if isinstance(request, Wanted) else played) for request in requests]

    def _read(self, wanted: Sequence[Wanted]) -> Sequence[MatchAccess | Exception | None]:
        """Readers get an unforeseen error, those whose moves are in the same batch do not."""
        try:
            return read_all(wanted, self._cache)
        except Exception as error:
            log.exception("reads_failed", reads=len(wanted))
            leave_connection()
            return [error] * len(wanted)

    def _done(
        self,
        batch: "Sequence[Waiting]",
        done: "asyncio.Future[list[Answer]]",
    ) -> None:
        self._at_work -= 1
        error = asyncio.CancelledError() if done.cancelled() else done.exception()
        answers = done.result() if error is None else [_unforeseen(error)] * len(batch)
        for (request, future, _), answer in zip(batch, answers, strict=True):
            if isinstance(request, MoveRequest):
                self._being_written.discard(request.match_id)
            if future.done():
                continue  # its caller has left
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        if len(batch) > 1 and self._flush_call is None:
            self._flush_call = asyncio.get_running_loop().call_later(GATHERING, self._flush)
        else:
            self._flush()


def _unforeseen(error: BaseException) -> NotKnown:
    """A fault of ours. It may have come after the write, so no move is judged again."""
    log.error("batch_failed", exc_info=error)
    return BrokeInTheWrite()
