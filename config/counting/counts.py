"""Counts in the memory of this process; every request is counted in one.

If several web processes serve, they add up their counts through Valkey, a few times a second and
never in a request. So a limit holds for all of them together, except for requests within one such
interval. Without Valkey each process counts for itself.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any, ClassVar, Final

import redis
import structlog
from django.conf import settings
from django.core.cache.backends.base import BaseCache
from redis.backoff import NoBackoff
from redis.retry import Retry

EXCHANGED_EVERY: Final = 0.25  # seconds
PREFIX: Final = "count:"

log = structlog.get_logger(__name__)


@dataclass
class Count:
    ends: float  # of time.monotonic
    here: int
    elsewhere: int = 0
    sent: int = 0  # of those counted here

    @property
    def total(self) -> int:
        return self.here + self.elsewhere


class Counts(BaseCache):
    """One table for all threads. A full one drops counts that have ended, or else all of them."""

    most: ClassVar[int] = 20_000  # counts of moves, one for each player
    _counts: ClassVar[dict[str, Count]] = {}
    _lock: ClassVar[Lock] = Lock()

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(self, key: str, value: int, timeout: Any = 60, version: Any = None) -> bool:
        with self._lock:
            if self._live(key):
                return False
            if len(self._counts) >= self.most:
                self._make_room()
            self._counts[key] = Count(time.monotonic() + timeout, value)
            return True

    def incr(self, key: str, delta: int = 1, version: Any = None) -> int:
        with self._lock:
            count = self._live(key)
            if count is None:
                raise ValueError(key)
            count.here += delta
            return count.total

    def get(self, key: str, default: Any = None, version: Any = None) -> Any:
        count = self._live(key)
        return default if count is None else count.total

    def clear(self) -> None:
        self._counts.clear()

    @classmethod
    def exchange(cls, valkey: "redis.Redis") -> None:
        """Sends the counts of this process since the last time, and reads those of the others.

        What is on its way is not sent again: neither by another thread nor after a time-out, when
        it may have been added up. A limit is rather a little late than early.
        """
        with cls._lock:
            unsent = {key: c for key, c in cls._counts.items() if c.here != c.sent}
            news = {key: count.here - count.sent for key, count in unsent.items()}
            cls._note_sent(unsent, news)
        try:
            totals = _add_up(news, {key: unsent[key].ends for key in unsent}, valkey)
        except redis.ConnectionError:  # nobody was told
            with cls._lock:
                cls._note_sent(unsent, {key: -number for key, number in news.items()})
            raise
        with cls._lock:
            for key, total in totals.items():
                unsent[key].elsewhere = max(0, total - unsent[key].sent)

    @staticmethod
    def _note_sent(counts: Mapping[str, Count], news: Mapping[str, int]) -> None:
        for key, number in news.items():
            counts[key].sent += number

    def _live(self, key: str) -> Count | None:
        count = self._counts.get(key)
        return count if count and count.ends > time.monotonic() else None

    def _make_room(self) -> None:
        now = time.monotonic()
        kept = {key: count for key, count in self._counts.items() if count.ends > now}
        self._counts.clear()
        if len(kept) < self.most:
            self._counts.update(kept)


def _add_up(
    news: Mapping[str, int], ends: Mapping[str, float], valkey: "redis.Redis"
) -> dict[str, int]:
    pipe = valkey.pipeline(transaction=False)
    for key, number in news.items():
        pipe.incrby(PREFIX + key, number)
        pipe.expire(PREFIX + key, max(1, int(ends[key] - time.monotonic()) + 1))
    return dict(zip(news, pipe.execute()[::2], strict=True)) if news else {}


def exchange_for_ever() -> None:
    """Starts the thread that exchanges counts; failures of Valkey do not end it."""
    Thread(target=_exchange_for_ever, name="counts", daemon=True).start()


def _exchange_for_ever() -> None:
    valkey = redis.Redis.from_url(
        settings.VALKEY_URL,
        socket_timeout=1,
        socket_connect_timeout=0.5,
        retry=Retry(NoBackoff(), 0),  # a repetition would add up twice what had only been slow
    )
    while True:
        time.sleep(EXCHANGED_EVERY)
        try:
            Counts.exchange(valkey)
        except redis.RedisError as error:
            log.debug("counts_not_exchanged", cause=type(error).__name__)
