"""Judging anybody's record: a large one takes seconds, so a worker does it and not a request.

The record and the verdict go through Valkey, the record for as long as somebody waits for it. It is
of a match that is over, so it holds no secret.
"""

import time
from collections.abc import Callable
from functools import lru_cache
from threading import BoundedSemaphore
from typing import Any, Final
from uuid import uuid4

import msgspec
import redis
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from redis.backoff import NoBackoff
from redis.retry import Retry

from cardroom.rules import record
from cardroom.rules.record import Fault
from config.tasks.queues import CHECKS

CHECK: Final = "games.matches.tasks.check_record"
KEPT_FOR: Final = 10  # seconds, of a verdict that nobody has fetched
LOOKS_AGAIN: Final = 1  # seconds that Valkey is asked to wait for a verdict at a time
FORESEEN: Final = 1.0  # processor seconds that a large record is expected to take

# Requests that wait hold a thread each; some are left to all other requests.
_may_wait = BoundedSemaphore(max(1, settings.WEB_THREADS * 3 // 4))
_verdict: msgspec.json.Decoder[Fault | None] = msgspec.json.Decoder(Fault | None)


class NoVerdict(Exception):
    """No worker has judged the record in time."""


class Unfinished(NoVerdict):
    """A worker is still judging it."""


def judge(data: Any, used: Callable[[float], None]) -> Fault | None:
    """The first fault of a record, ``None`` for a valid one. Raises NoVerdict.

    ``used`` is called with the processor seconds; with an estimate before the work begins, so that
    many records sent at once do not count too late.
    """
    body = msgspec.json.encode(data)
    if len(body) <= settings.RECORD_BYTES_IN_PLACE:
        return _in_place(data, used)
    if not _may_wait.acquire(blocking=False):
        raise NoVerdict
    used(FORESEEN)
    seconds = 0.0
    try:
        verdict, seconds = _by_worker(body)
        return _verdict.decode(verdict)
    except (redis.RedisError, OperationalError) as error:
        raise NoVerdict from error
    except Unfinished:
        seconds = settings.RECORD_SECONDS
        raise
    finally:
        used(seconds - FORESEEN)
        _may_wait.release()


def _in_place(data: Any, used: Callable[[float], None]) -> Fault | None:
    begun = time.thread_time()
    try:
        return record.verify(data)
    finally:
        used(time.thread_time() - begun)


def _by_worker(body: bytes) -> tuple[bytes | str, float]:
    """The verdict, and the seconds that it took."""
    name, seconds, valkey = f"check:{uuid4()}", settings.RECORD_SECONDS, _valkey()
    begun = time.monotonic()
    valkey.set(name, body, ex=seconds + KEPT_FOR)  # deleted when the wait ends
    current_app.send_task(CHECK, (name,), queue=CHECKS, expires=seconds, retry=False)
    answer = None
    while answer is None and time.monotonic() < begun + seconds:
        answer = valkey.blpop([f"{name}:verdict"], timeout=LOOKS_AGAIN)
    if answer is None:
        raise NoVerdict if valkey.delete(name) else Unfinished
    took = valkey.getdel(f"{name}:seconds")  # a worker of an earlier release does not give it
    return answer[1], float(took) if took else time.monotonic() - begun


def work_off(name: str) -> None:
    """Judges a record for the request that waits; does nothing if it has stopped waiting."""
    valkey = _valkey()
    body = valkey.getdel(name)
    if body is None:
        return
    begun = time.thread_time()
    verdict = msgspec.json.encode(record.verify(body))
    with valkey.pipeline() as together:
        together.set(f"{name}:seconds", time.thread_time() - begun, ex=KEPT_FOR)
        together.rpush(f"{name}:verdict", verdict)
        together.expire(f"{name}:verdict", KEPT_FOR)
        together.execute()


def _valkey() -> "redis.Redis":
    return _client(settings.VALKEY_URL)


@lru_cache(maxsize=1)
def _client(url: str) -> "redis.Redis":
    """A Valkey that does not answer is not waited for as a worker is."""
    return redis.Redis.from_url(
        url,
        socket_timeout=2 * LOOKS_AGAIN,
        socket_connect_timeout=0.5,
        retry=Retry(NoBackoff(), 1),
    )
