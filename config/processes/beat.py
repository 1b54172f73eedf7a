"""The beat: it sends the tasks of `config.celery` when they are due.

`python -m config.processes.beat` is one in a container of its own. On one machine each worker has
one as a thread; the lock of the state folder lets one of them work, and the next one when that has
ended. Exactly one has to work; two are wasteful, not wrong.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import IO, Any, Final

import celery.beat
from celery import Celery

from config.host.reaching import check_servers
from config.telemetry.pulse import pulse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
SECONDS_BETWEEN_TRIES: Final = 0.3


class Scheduler(celery.beat.Scheduler):
    """Beats the pulse at least each time that it sends a task."""

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        pulse.beats()
        return super().tick(*args, **kwargs)


class BeatThread(Thread):
    """The beat as a thread of a worker: nothing would notice the end of a process of its own."""

    def __init__(self, app: Celery, scheduler: Any, lock: Path) -> None:
        super().__init__(name="beat", daemon=True)
        self._app, self._lock = app, lock
        self._service = celery.beat.Service(
            app,
            max_interval=1,
            scheduler_cls=scheduler,
            remote_control=False,  # type: ignore[call-arg]  # the worker has its own
        )
        self._stopping, self._works = Event(), False

    def run(self) -> None:
        self._app.set_current()
        self._lock.parent.mkdir(parents=True, exist_ok=True)
        with self._lock.open("a") as file, _held(file, self._stopping) as is_mine:
            if is_mine:
                self._works = True
                self._service.start()
        pulse.rests()

    def stop(self) -> None:
        self._stopping.set()
        if self._works:
            self._service.stop(wait=True)


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

    pulse.start()
    app.start(["beat", "--pidfile=", "--loglevel", os.environ.get("LOG_LEVEL") or "WARNING"])


if __name__ == "__main__":
    main()
