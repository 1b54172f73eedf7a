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
WORKERS_ASKED = 4

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class MatchMoved:
    """A match stands at a new version; no more than that travels."""

    match_id: UUID
    version: int
    bots_due: bool

    def send(self, broker: "redis.Redis") -> None:
        broker.publish(CHANNEL.format(self.match_id), self.version)
        if self.bots_due:
            args = (str(self.match_id), self.version)
            current_app.send_task("games.tasks.play_bot_turns", args, retry=False)


@dataclass(frozen=True)
class SimulationWaits:
    """A simulation has parts to play."""

    simulation_id: UUID

    def send(self, _broker: "redis.Redis") -> None:
        args = (str(self.simulation_id),)
        current_app.send_task("games.tasks.run_simulation", args, retry=False)


Note = MatchMoved | SimulationWaits

_notes: queue.Queue[Note] = queue.Queue(LONGEST_QUEUE)
_starting = threading.Lock()
_thread: threading.Thread | None = None


def after_commit(table: Table) -> None:
    """Says that a table was written; returns at once, whatever the broker does."""
    _drop(MatchMoved(table.id, table.version, table.bot_due_at is not None))


def simulation_waits(simulation_id: UUID, *, workers: int = WORKERS_ASKED) -> None:
    """Asks workers to take parts of a simulation, as many as may do so at once."""
    for _ in range(workers):
        _drop(SimulationWaits(simulation_id))


def _drop(note: Note) -> None:
    try:
        _notes.put_nowait(note)
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
            note.send(broker)
        except Exception as error:  # noqa: BLE001 - whatever the broker raises, the row still says it
            log.warning("announcement_failed", note=str(note), cause=type(error).__name__)
            time.sleep(PAUSE_AFTER_FAILURE)
            _forget_waiting()


def _forget_waiting() -> None:
    """Notes that queued up behind a dead broker are old news; the sweep knows what is owed."""
    while not _notes.empty():
        _notes.get_nowait()
