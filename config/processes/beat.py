"""The beat: it asks which duties are due, and sends those (`config.tasks.duties`).

Once a second, and less and less often where nothing happens, down to every ten seconds: it is woken
by any request for work (`config.tasks.after_commit.something_happens`), and wakes itself
when a clock runs out. A machine at home can rest meanwhile.

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
from time import monotonic, time
from typing import IO, Any, Final

import structlog
from celery import Celery
from celery.signals import beat_init
from redis.exceptions import RedisError

from config.host.reaching import check_servers
from config.telemetry.pulse import EVERY, pulse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
SECONDS_BETWEEN_TRIES: Final = 0.3
SECONDS: Final = 1.0  # from one look to the next
LONGEST: Final = 10.0  # the same, where nothing has happened for two minutes
QUIET: Final = 12.0  # times the seconds until the next look: nothing has happened for so long
LONGEST_WAIT: Final = EVERY  # between two signs of life
SHORTLY_AFTER: Final = 0.01  # conditions say: before now

log = structlog.get_logger(__name__)


class Beat:
    """A loop over the duties until it is stopped."""

    def __init__(self) -> None:
        from config.tasks.duties import Looks

        self._looks = Looks(happened_at=time())
        self._ear = Ear()
        self._away = ""

    def run(self, stopping: Event) -> None:
        while not stopping.is_set():
            begun = monotonic()
            self.look()
            self._sleep(begun, stopping)
        pulse.rests()

    def _sleep(self, begun: float, stopping: Event) -> None:
        """Until the next look: a second after the last one, if something happens meanwhile."""
        until = begun + self.wait()
        while not stopping.is_set() and (left := until - monotonic()) > 0:
            pulse.beats()
            if self._ear.hears_within(min(left, LONGEST_WAIT), stopping):
                self._looks.happened_at = time()
                until = min(until, begun + SECONDS)

    def wait(self) -> float:
        """Seconds from the last look to the next."""
        left = self._looks.next_at - time() + SHORTLY_AFTER
        return max(SECONDS / 10, min(self._looks.ahead, left))

    def look(self) -> int:
        """The number of messages sent; none where a server is away, which is logged once."""
        from django.db import connection

        from config.monitoring import exporter
        from config.tasks import duties

        pulse.beats()
        quiet_for = time() - self._looks.happened_at
        self._looks.ahead = min(LONGEST, max(SECONDS, quiet_for / QUIET))
        try:
            sent = duties.send_due(self._looks)
        except Exception as error:  # noqa: BLE001 - whatever a driver raises: it asks again
            if self._away != type(error).__name__:
                log.warning("nothing_sent", cause=type(error).__name__)
            self._away = type(error).__name__
            self._looks.ahead = SECONDS
            return 0
        finally:
            connection.close()  # back to the pool
        self._away = ""
        exporter.touch()
        return sent


class Ear:
    """Hears that something happens; while it cannot, something might."""

    def __init__(self) -> None:
        self._messages: Any = None

    def hears_within(self, seconds: float, stopping: Event) -> bool:
        """Whether something happened; a new subscription counts: it may have missed something."""
        from config.tasks import after_commit, duties

        try:
            if self._messages is None:
                valkey: Any = duties.valkey()
                self._messages = valkey.pubsub()
                self._messages.subscribe(after_commit.HAPPENING)
            heard = bool(self._messages.get_message(timeout=seconds))
            while self._messages.get_message():
                pass  # many say so
        except (RedisError, OSError):
            self._messages = None
            stopping.wait(seconds)
            return True
        return heard


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
    # Here, because the other processes import this module for a name.
    from config.celery import app
    from config.monitoring import exporter  # noqa: F401  # by its signals

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
