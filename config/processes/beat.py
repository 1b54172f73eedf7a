"""The beat: once a second it asks which duties are due, and sends those (`config.tasks.duties`).

`python -m config.processes.beat` is one in a container of its own. On one machine each worker has
one as a thread; the lock of the state folder lets one of them work, and the next one when that has
ended. Exactly one has to work; two are wasteful, not wrong. A database or broker that is away ends
no beat: it asks again.
"""

import fcntl
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import IO, Any, Final

import structlog
from celery import Celery
from celery.signals import beat_init

from config.host.reaching import check_servers
from config.telemetry.pulse import pulse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
SECONDS_BETWEEN_TRIES: Final = 0.3
SECONDS: Final = 1.0  # from one look to the next
LONGEST_WAIT: Final = 0.5  # between two signs of life

log = structlog.get_logger(__name__)


class Beat:
    """Looks until it is told to stop."""

    def __init__(self) -> None:
        self._clock: dict[str, float] = {}
        self._away = ""

    def run(self, stopping: Event) -> None:
        at = monotonic()
        while not stopping.is_set():
            self.look()
            at = max(at + SECONDS, monotonic() + SECONDS / 10)
            while not stopping.is_set() and (left := at - monotonic()) > 0:
                pulse.beats()
                stopping.wait(min(left, LONGEST_WAIT))
        pulse.rests()

    def look(self) -> int:
        """How many messages were sent; none where a server is away, which is logged once."""
        from django.db import connection

        from config.monitoring import alive
        from config.tasks import duties

        pulse.beats()
        try:
            sent = duties.send_due(self._clock)
        except Exception as error:  # noqa: BLE001 - whatever a driver raises: it asks again
            if self._away != type(error).__name__:
                log.warning("nothing_sent", cause=type(error).__name__)
            self._away = type(error).__name__
            return 0
        finally:
            connection.close()  # back to the pool
        self._away = ""
        alive.touch()
        return sent


class BeatThread(Thread):
    """The beat as a thread of a worker: nothing would notice the end of a process of its own."""

    def __init__(self, app: Celery, lock: Path) -> None:
        super().__init__(name="beat", daemon=True)
        self._app, self._lock = app, lock
        self._stopping = Event()

    def run(self) -> None:
        self._app.set_current()
        self._lock.parent.mkdir(parents=True, exist_ok=True)
        with self._lock.open("a") as file, _held(file, self._stopping) as is_mine:
            if is_mine:
                Beat().run(self._stopping)

    def stop(self) -> None:
        self._stopping.set()
        self.join(2 * SECONDS)


@contextmanager
def _held(file: IO[str], stopping: Event) -> Iterator[bool]:
    """The lock, which ends with this process and not with those that it forks."""
    while not stopping.wait(SECONDS_BETWEEN_TRIES):
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        yield True
        return
    yield False


def main() -> None:
    check_servers()
    from config.celery import app  # here, because the other processes import this module for a name

    app.set_current()
    stopping = Event()

    def stop(*_: Any) -> None:
        stopping.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    pulse.start()
    beat_init.send(sender=None)
    Beat().run(stopping)


if __name__ == "__main__":
    main()
