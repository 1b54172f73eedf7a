"""Calls after a commit, which never change the answer of what was committed.

Announcements are sent by one thread in each process: a request only puts one into the queue. The
broker may be slow or unreachable: the database says which work is due, and the recovery tasks
announce it again. Whatever else fails here is counted and logged, and stops nothing besides.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath
from traceback import walk_tb
from typing import Any, Final, Protocol

import redis
import structlog
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.telemetry import metrics
from config.valkey import valkey_client

LONGEST_QUEUE = 10_000
MOST_AT_ONCE = 256
PAUSE_AFTER_FAILURE = 0.25
BROKER_IS_AWAY: Final = (redis.RedisError, OperationalError, OSError)

log = structlog.get_logger(__name__)


class Announcement(Protocol):
    """Sends itself: publishes on the broker, or sends a task.

    A kind with a classmethod ``send_all(several, broker)`` sends those that wait together.
    """

    def send(self, broker: "redis.Redis") -> None: ...


HAPPENING: Final = "something-happens"  # the channel on which the beat hears of it
SECONDS_BETWEEN_NEWS: Final = 1.0

_waiting: queue.Queue[Sequence[Announcement]] = queue.Queue(LONGEST_QUEUE)
_starting = threading.Lock()
_thread: threading.Thread | None = None
_last_one_failed = False
_told_at = 0.0


def announce(*announcements: Announcement) -> None:
    """Queues announcements; returns at once, also without a broker."""
    try:
        _waiting.put_nowait(announcements)
    except queue.Full:
        metrics.DROPPED.inc(len(announcements))
        log.warning("announcements_dropped", waiting=LONGEST_QUEUE)
    _ensure_thread()


@dataclass(frozen=True)
class Happening:
    """Somebody asks this service for something, or it has done something."""

    def send(self, broker: "redis.Redis") -> None:
        broker.publish(HAPPENING, b"")


def something_happens() -> None:
    """Wakes the beat, once a second at most: what is written now may make something due."""
    global _told_at  # noqa: PLW0603 - one a process
    now = time.monotonic()
    if now > _told_at + SECONDS_BETWEEN_NEWS:
        _told_at = now
        announce(Happening())


def when_committed(call: Callable[[], object]) -> None:
    """Calls it after the commit of the present transaction, at once where there is none."""

    def guarded() -> None:
        try:
            call()
        except Exception as error:  # noqa: BLE001 - what is committed is answered
            failed(error, getattr(call, "__qualname__", "call"))

    transaction.on_commit(guarded)


def failed(error: BaseException, what: str, **facts: Any) -> None:
    """Counts and logs what was done after a commit in vain: kind and place of the error.

    Not its text and not its traceback, which may show what is stored.
    """
    metrics.FAILED_AFTER_COMMIT.labels(type(error).__name__).inc()
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    place = frames[-1] if frames else None
    where = place and f"{PurePath(place.f_code.co_filename).name}:{place.f_lineno}"
    about = {name: str(fact) for name, fact in facts.items()}
    log.warning("after_commit_failed", what=what, cause=type(error).__name__, at=where, **about)


def waiting() -> int:
    return _waiting.qsize()


def status() -> str:
    """``up``, ``failing`` until an announcement gets through, ``stopped``: the thread had died.

    A thread that died is started again here and by the next announcement.
    """
    if _thread is not None and not _thread.is_alive():
        _ensure_thread()
        return "stopped"
    return "failing" if _last_one_failed else "up"


def _ensure_thread() -> None:
    """Starts the thread on first use, so that a forked process gets its own."""
    global _thread  # noqa: PLW0603 - one thread a process
    if _thread is not None and _thread.is_alive():
        return
    with _starting:
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_send_all, name="after-commit", daemon=True)
            _thread.start()


def _send_all() -> None:
    global _last_one_failed  # noqa: PLW0603 - the state of the one thread
    try:
        broker = valkey_client(
            settings.VALKEY_URL,
            socket_timeout=1,
            socket_connect_timeout=0.5,
            retry=Retry(NoBackoff(), 1),  # what fails is sent again after a pause
        )
        while True:
            _send_until_they_get_through(_all_waiting(), broker)
    except BaseException as error:
        _last_one_failed = True
        log.error("announcer_stopped", cause=type(error).__name__)
        raise


def _all_waiting() -> list[Announcement]:
    """Waits for one, and takes all others that wait."""
    waiting = [*_waiting.get()]
    with suppress(queue.Empty):
        while len(waiting) < MOST_AT_ONCE:
            waiting += _waiting.get_nowait()
    return waiting


def _send_until_they_get_through(waiting: list[Announcement], broker: "redis.Redis") -> None:
    """Tries until the broker takes them, so that `status` needs no further announcement."""
    while not _sent(waiting, broker):
        time.sleep(PAUSE_AFTER_FAILURE)
        newest = _newest_waiting() or waiting[-1]
        waiting = [newest]


def _sent(waiting: Sequence[Announcement], broker: "redis.Redis") -> bool:
    """Whether the broker took them. One that fails by itself is dropped, and the others are sent:
    the row still says what is due.
    """
    global _last_one_failed  # noqa: PLW0603 - the state of the one thread
    try:
        for kind in dict.fromkeys(map(type, waiting)):
            _send_kind(kind, [one for one in waiting if type(one) is kind], broker)
    except BROKER_IS_AWAY as error:
        _last_one_failed = True
        log.warning(
            "announcement_failed", announcement=str(waiting[-1]), cause=type(error).__name__
        )
    else:
        _last_one_failed = False
    return not _last_one_failed


def _send_kind(kind: Any, several: Sequence[Announcement], broker: "redis.Redis") -> None:
    try:
        if len(several) > 1 and hasattr(kind, "send_all"):
            kind.send_all(several, broker)
            return
    except BROKER_IS_AWAY:
        raise
    except Exception as error:  # noqa: BLE001 - it is that of one of them
        failed(error, kind.__name__)
    for one in several:
        try:
            one.send(broker)
        except BROKER_IS_AWAY:
            raise
        except Exception as error:  # noqa: BLE001 - the others are sent
            failed(error, kind.__name__, match=getattr(one, "match_id", ""))


def _newest_waiting() -> Announcement | None:
    """The newest announcement; older ones are dropped, as the recovery tasks know what is due."""
    newest = None
    while not _waiting.empty():
        newest = _waiting.get_nowait()[-1]
    return newest
