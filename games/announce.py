"""What leaves the process after a commit: news for listeners, bot turns for the workers.

A request only drops a note into a queue; one thread a process carries the notes out. The broker
may be slow or away: the match row says what is owed, and the sweep sends it again (design.md).
"""

import queue
import threading
import time
from dataclasses import dataclass
from uuid import UUID

import redis
import structlog
from celery import current_app
from django.conf import settings

from games.table import Table

CHANNEL = "match:{}"
LONGEST_QUEUE = 10_000
PAUSE_AFTER_FAILURE = 1.0

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Note:
    """A match stands at a new version; no more than that travels."""

    match_id: UUID
    version: int
    bots_due: bool


_notes: queue.Queue[Note] = queue.Queue(LONGEST_QUEUE)
_starting = threading.Lock()
_thread: threading.Thread | None = None


def after_commit(table: Table) -> None:
    """Says that a table was written; returns at once, whatever the broker does."""
    try:
        _notes.put_nowait(Note(table.id, table.version, table.bot_due_at is not None))
    except queue.Full:
        log.warning("announcements_dropped", waiting=LONGEST_QUEUE)
    _ensure_thread()


def _ensure_thread() -> None:
    """Starts the thread on first use, so that a forked process gets its own."""
    global _thread  # noqa: PLW0603 - one thread a process
    if _thread is not None and _thread.is_alive():
        return
    with _starting:
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_carry_out, name="announce", daemon=True)
            _thread.start()


def _carry_out() -> None:
    broker = redis.Redis.from_url(settings.VALKEY_URL, socket_timeout=1, socket_connect_timeout=0.5)
    while True:
        note = _notes.get()
        try:
            _announce(broker, note)
        except Exception as error:  # noqa: BLE001 - whatever the broker raises, the row still says it
            log.warning("announcement_failed", match=str(note.match_id), cause=type(error).__name__)
            time.sleep(PAUSE_AFTER_FAILURE)
            _forget_waiting()


def _announce(broker: "redis.Redis", note: Note) -> None:
    broker.publish(CHANNEL.format(note.match_id), note.version)
    if note.bots_due:
        args = (str(note.match_id), note.version)
        current_app.send_task("games.tasks.play_bot_turns", args, retry=False)


def _forget_waiting() -> None:
    """Notes that queued up behind a dead broker are old news; the sweep knows what is owed."""
    while not _notes.empty():
        _notes.get_nowait()
