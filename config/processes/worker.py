"""A worker: Celery in one process, for some of the queues of `config.tasks.queues`.

`python -m config.processes.worker interactive` plays the bot turns that take little time; `/readyz`
reports whether such a worker is there.
`python -m config.processes.worker duties` does what is looked for again and again and what people
wait for: turns that got lost, clocks, tournaments, results (`config.tasks.duties`).
`python -m config.processes.worker batch` takes everything that would delay those, the most urgent
first: bots that think long, verifications of records, matches without a person. Where others may
wait its tasks end within a second, and its processes have a low priority.
`python -m config.processes.worker long` does the duties that take long, in pieces: simulations,
analyses, exports, work of the night. It has the lowest priority and half of the cores.
`python -m config.processes.worker outward` calls servers of strangers: mail, browsers, webhooks.
They may take ten seconds each, so nothing else waits there. With `--beat` this worker also has a
beat (`config.processes.beat`).

Each takes one task at a time, in its main thread (Celery's pool *solo*): a pool of processes costs
a parent and a hundred megabytes for each kind. A task ends by its limits all the same: after the
soft one another thread interrupts it, after the hard one the process shows no sign of life, and is
replaced.
"""

import logging
import os
import signal
import sys
import time
import warnings
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread, main_thread
from types import FrameType
from typing import Any, Final

from celery import bootsteps
from celery.exceptions import SecurityWarning, SoftTimeLimitExceeded
from celery.signals import after_task_publish, heartbeat_sent, task_postrun, task_prerun
from celery.utils.nodenames import default_nodename, host_format
from django.conf import settings
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from config.celery import app, kind_of
from config.host import crew
from config.host.reaching import check_servers
from config.monitoring import exporter  # noqa: F401  # by its signals
from config.monitoring.health import valkey
from config.processes.beat import BeatThread
from config.tasks.queues import BATCH, INTERACTIVE, LONG, OUTWARD, WORKERS
from config.telemetry.pulse import EVERY, bell, pulse

NICER: Final = {BATCH: 10, OUTWARD: 10, LONG: 19}
SECONDS_OF_A_CALL: Final = 2.0  # then the next one, or the duty `turns`, does the same
SECONDS_WITHOUT_WORK: Final = 60.0  # after which a worker that runs on demand ends
SECONDS_BETWEEN_LOOKS: Final = 5.0  # for work that nobody has rung for
SECONDS_BETWEEN_LOOKS_AT_A_TASK: Final = 0.5
INTERRUPTS: Final = signal.SIGVTALRM  # bots that think have the other alarm


class Limits:
    """Of the task that this process works on, in time."""

    def __init__(self) -> None:
        self.work = Event()  # set while there is a task
        self.since: float | None = None  # it began
        self._until: float | None = None  # it is interrupted then
        self._last = time.monotonic()  # when a task ended

    def begin(self, task: Any) -> None:
        soft, hard = (
            of_the_message or of_the_task or usual
            for of_the_message, of_the_task, usual in zip(
                reversed(task.request.timelimit or (None, None)),
                (task.soft_time_limit, task.time_limit),
                (app.conf.task_soft_time_limit, app.conf.task_time_limit),
                strict=True,
            )
        )
        self.since = time.monotonic()
        self._until = None if soft is None else self.since + soft
        self.work.set()
        pulse.beats(within=hard)

    def end(self) -> None:
        self.work.clear()
        self._until = self.since = None
        self._last = time.monotonic()
        pulse.beats()

    def interrupt(self) -> None:
        """The task, if it has come to its soft limit; from another thread."""
        if self._until is not None and time.monotonic() > self._until:
            signal.pthread_kill(main_thread().ident or 0, INTERRUPTS)

    def exceeded(self, number: int, frame: FrameType | None) -> None:
        if self._until is not None:
            self._until = None  # once
            raise SoftTimeLimitExceeded

    def rests_for(self) -> float:
        """Seconds since the last task."""
        return 0.0 if self.since is not None else time.monotonic() - self._last


limits: Final = Limits()


def hold_to_limits() -> None:
    """From now on in this process."""
    signal.signal(INTERRUPTS, limits.exceeded)
    task_prerun.connect(_begin, weak=False)
    task_postrun.connect(_end, weak=False)


def _begin(task: Any, **_: Any) -> None:
    if not task.request.is_eager:
        limits.begin(task)


def _end(task: Any, **_: Any) -> None:
    if not task.request.is_eager:
        limits.end()


class SignsOfLife(bootsteps.StartStopStep):
    """All that a worker does again and again while it is connected: it wakes for that once.

    It beats the pulse as long as the consumer's loop goes on, and may wait for a lost broker. Its
    heartbeats for `/readyz` go on while a task holds its only thread; Celery's own are events, for
    which nobody listens.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)
    _connected: Any = None  # the consumer, while it has its connection

    def create(self, consumer: Any) -> None:
        Thread(target=self._look_at_tasks, name="heartbeats", daemon=True).start()

    def start(self, consumer: Any) -> None:
        self._connected = consumer
        self._show(consumer)
        consumer.timer.call_repeatedly(EVERY, self._show, (consumer,))

    def stop(self, consumer: Any) -> None:
        self._connected = None
        pulse.rests()

    shutdown = stop

    def _show(self, consumer: Any) -> None:
        pulse.beats()
        heartbeat_sent.send(sender=consumer)
        if pulse.is_called():  # another worker has ended
            announce_all(consumer)
        if settings.ONE_MACHINE and kind_of(consumer.hostname) == INTERACTIVE:
            ring_for_work()

    def _look_at_tasks(self) -> None:
        """In a thread of its own, for the life of the process."""
        beaten = 0.0
        while limits.work.wait():
            time.sleep(SECONDS_BETWEEN_LOOKS_AT_A_TASK)
            now, since, consumer = time.monotonic(), limits.since, self._connected
            if consumer is not None and since is not None and now > max(since, beaten) + EVERY:
                beaten = now
                heartbeat_sent.send(sender=consumer)
            limits.interrupt()


class EndOfWork(bootsteps.StartStopStep):
    """Ends a worker that runs on demand and has had no task for a minute."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, consumer: Any) -> None:
        consumer.timer.call_repeatedly(SECONDS_BETWEEN_LOOKS, self._look)

    def _look(self) -> None:
        if limits.rests_for() > SECONDS_WITHOUT_WORK and not _has_children():
            os.kill(os.getpid(), signal.SIGTERM)


def ring_for_work() -> None:
    """Asks for the workers that run on demand when something waits for them.

    A process that sends them a task rings at once; this finds what a command has sent, or a
    process that was killed at that moment.
    """
    with suppress(RedisError):
        pipe = valkey().pipeline(transaction=False)
        for kind in crew.ON_DEMAND:
            pipe.exists(*WORKERS[kind])
        for kind, waiting in zip(crew.ON_DEMAND, pipe.execute(), strict=True):
            if waiting:
                bell.ring(kind)


def _has_children() -> bool:
    """Whether something that it has started still works: kernels that are compiled."""
    lists = Path("/proc/self/task").glob("*/children")
    return any(place.read_text() for place in lists)


_rung_at: dict[str, float] = {}


@after_task_publish.connect
def ring(routing_key: str = "", **_: Any) -> None:
    """In every process of one machine that sends a task to workers that run on demand."""
    for kind in crew.ON_DEMAND:
        now = time.monotonic()
        if routing_key in WORKERS[kind] and now > _rung_at.get(kind, 0.0) + 1.0:
            _rung_at[kind] = now
            bell.ring(kind)


class Beat(bootsteps.StartStopStep):
    """The beat as a thread, which ends with the worker.

    Celery runs it as a process: if that is killed, nothing notices and overdue turns stay.
    """

    requires = ("celery.worker.components:Pool",)

    def create(self, worker: Any) -> Any:
        return BeatThread(worker.app, settings.STATE / "beat.lock")


class DueTurns(bootsteps.StartStopStep):
    """Announces all due turns each time that the worker reaches the broker.

    So turns that a killed worker had taken, or that a lost broker forgot, wait for no sweep.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, consumer: Any) -> None:
        announce_all(consumer)


def announce_all(consumer: Any) -> None:
    with suppress(OperationalError):  # the broker is lost again; the next connection does it
        consumer.app.send_task(
            "games.matches.tasks.resend_all",
            expires=SECONDS_OF_A_CALL,
            connection=consumer.connection,
        )


def main() -> None:
    parser = ArgumentParser(prog="python -m config.processes.worker")
    parser.add_argument("kind", choices=WORKERS)
    parser.add_argument("--hostname", default="")
    parser.add_argument("--beat", action="store_true")
    options = parser.parse_args()
    check_servers()
    if options.beat:
        app.steps["worker"].add(Beat)
    # Root may run this on a machine of their own; Postgres and Valkey do not run as root.
    warnings.simplefilter("ignore", SecurityWarning)
    # Django's checks import every page; they are made before a release, and bots wait meanwhile.
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
    app.steps["consumer"].add(SignsOfLife)
    if options.kind == INTERACTIVE:
        app.steps["consumer"].add(DueTurns)
    if options.kind in crew.ON_DEMAND and settings.ONE_MACHINE:
        app.steps["consumer"].add(EndOfWork)
    os.nice(NICER.get(options.kind, 0))
    hold_to_limits()
    pulse.start()
    # Celery's own command line would cost each worker half as much again as its start.
    worker = app.Worker(
        queues=WORKERS[options.kind],
        hostname=host_format(default_nodename(options.hostname or f"{options.kind}@%h")),
        pool="solo",
        concurrency=1,
        without_gossip=True,
        without_heartbeat=True,
        without_mingle=True,
        loglevel=logging.WARNING,
        quiet=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main()
