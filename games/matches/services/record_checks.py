"""Judging anybody's record: a large one takes seconds, which are a worker's and not a request's.

The record and the verdict go through Valkey, the record for as long as somebody waits for it. It is
of a match that is over, so it holds no secret.
"""

from functools import lru_cache
from threading import BoundedSemaphore
from typing import Any, Final
from uuid import uuid4

import msgspec
import redis
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

from config.queues import CHECKS
from games.rules import record
from games.rules.record import Fault

CHECK: Final = "games.matches.tasks.check_record"
KEPT_FOR: Final = 10  # seconds, of a verdict that nobody has fetched

# Requests that wait hold a thread each; some are left to all other requests.
_may_wait = BoundedSemaphore(max(1, settings.WEB_THREADS * 3 // 4))
_verdict: msgspec.json.Decoder[Fault | None] = msgspec.json.Decoder(Fault | None)


class NoVerdict(Exception):
    """No worker has judged the record in time."""


def judge(data: Any) -> Fault | None:
    """The first fault of a record, ``None`` for a valid one. Raises NoVerdict."""
    body = msgspec.json.encode(data)
    if len(body) <= settings.RECORD_BYTES_IN_PLACE:
        return record.verify(data)
    if not _may_wait.acquire(blocking=False):
        raise NoVerdict
    try:
        return _verdict.decode(_by_worker(body))
    except (redis.RedisError, OperationalError) as error:
        raise NoVerdict from error
    finally:
        _may_wait.release()


def _by_worker(body: bytes) -> bytes | str:
    name, seconds, valkey = f"check:{uuid4()}", settings.RECORD_SECONDS, _valkey()
    valkey.set(name, body, ex=seconds)
    current_app.send_task(CHECK, (name,), queue=CHECKS, expires=seconds, retry=False)
    answer = valkey.blpop([f"{name}:verdict"], timeout=seconds)
    if answer is None:
        valkey.delete(name)
        raise NoVerdict
    return answer[1]


def work_off(name: str) -> None:
    """Judges a record that a request waits with; does nothing if it has stopped waiting."""
    valkey = _valkey()
    body = valkey.getdel(name)
    if body is None:
        return
    verdict = msgspec.json.encode(record.verify(body))
    with valkey.pipeline() as together:
        together.rpush(f"{name}:verdict", verdict)
        together.expire(f"{name}:verdict", KEPT_FOR)
        together.execute()


def _valkey() -> "redis.Redis":
    return _client(settings.VALKEY_URL, settings.RECORD_SECONDS)


@lru_cache(maxsize=1)
def _client(url: str, seconds: int) -> "redis.Redis":
    return redis.Redis.from_url(url, socket_timeout=seconds + 2, socket_connect_timeout=0.5)
