"""What leaves the process after a commit: one queue and one thread a process.

A request only puts an announcement into the queue; the thread sends it. The broker may be slow or
unreachable: the database says which work is due, and the recovery tasks announce it again.
"""

import queue
import threading
import time
from typing import Protocol

import redis
import structlog
from django.conf import settings

LONGEST_QUEUE = 10_000
PAUSE_AFTER_FAILURE = 1.0

log = structlog.get_logger(__name__)


class Announcement(Protocol):
    """Sends itself: publishes on the broker, or sends a task."""

    def send(self, broker: "redis.Redis") -> None: ...


_waiting: queue.Queue[Announcement] = queue.Queue(LONGEST_QUEUE)
_starting = threading.Lock()
_thread: threading.Thread | None = None
_last_one_failed = False


def announce(announcement: Announcement) -> None:
    """Queues an announcement; returns at once, also without a broker."""
    try:
        _waiting.put_nowait(announcement)
    except queue.Full:
        log.warning("announcements_dropped", waiting=LONGEST_QUEUE)
    _ensure_thread()


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
        broker = redis.Redis.from_url(
            settings.VALKEY_URL, socket_timeout=1, socket_connect_timeout=0.5
        )
        while True:
            _send_until_it_gets_through(_waiting.get(), broker)
    except BaseException as error:
        _last_one_failed = True
        log.error("announcer_stopped", cause=type(error).__name__)
        raise


def _send_until_it_gets_through(announcement: Announcement, broker: "redis.Redis") -> None:
    """Tries until the broker takes it, so that `status` needs no further announcement."""
    while not _sent(announcement, broker):
        time.sleep(PAUSE_AFTER_FAILURE)
        announcement = _newest_waiting() or announcement


def _sent(announcement: Announcement, broker: "redis.Redis") -> bool:
    global _last_one_failed  # noqa: PLW0603 - the state of the one thread
    try:
        announcement.send(broker)
    except Exception as error:  # noqa: BLE001 - after any error the row still says what is due
        _last_one_failed = True
        log.warning(
            "announcement_failed", announcement=str(announcement), cause=type(error).__name__
        )
    else:
        _last_one_failed = False
    return not _last_one_failed


def _newest_waiting() -> Announcement | None:
    """The newest announcement; older ones are dropped, as the recovery tasks know what is due."""
    newest = None
    while not _waiting.empty():
        newest = _waiting.get_nowait()
    return newest
