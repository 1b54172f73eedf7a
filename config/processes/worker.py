"""A worker: Celery with a few processes, for some of the queues of `config.tasks.queues`.

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
They may take ten seconds each, so nothing else waits there. Further arguments are Celery's; with
`--beat` this worker also has a beat (`config.processes.beat`).
"""

import os
import sys
import warnings
from contextlib import suppress
from typing import Any

from celery import bootsteps
from celery.exceptions import SecurityWarning
from celery.signals import worker_process_init
from django.conf import settings
from kombu.exceptions import OperationalError

from config.celery import app
from config.host.reaching import check_servers
from config.host.supervisor import end_with_parent
from config.processes.beat import BeatThread
from config.tasks.queues import BATCH, DUTIES, INTERACTIVE, LONG, OUTWARD, WORKERS
from config.telemetry.pulse import EVERY, pulse

NICER = {BATCH: 10, OUTWARD: 10, LONG: 19}
SECONDS_OF_A_CALL = 2.0  # then the next one, or the duty `turns`, does the same
PROCESSES = {
    INTERACTIVE: "WORKER_PROCESSES",
    DUTIES: "DUTY_WORKER_PROCESSES",
    BATCH: "BATCH_WORKER_PROCESSES",
    LONG: "LONG_WORKER_PROCESSES",
    OUTWARD: "OUTWARD_WORKER_PROCESSES",
}
# Outward each makes 32 calls at a time; what takes long has half of the cores; of the others two.
USUAL = {OUTWARD: "1", LONG: str(max(1, len(os.sched_getaffinity(0)) // 2))}


@worker_process_init.connect
def _end_with_the_worker(**_: Any) -> None:
    """A pool process of a killed worker ends too, instead of taking more tasks."""
    end_with_parent(os.getppid())


class Beat(bootsteps.StartStopStep):
    """The beat as a thread, which ends with the worker.

    Celery runs it as a process: if that is killed, nothing notices and overdue turns stay.
    """

    requires = ("celery.worker.components:Pool",)

    def create(self, worker: Any) -> Any:
        return BeatThread(worker.app, settings.STATE / "beat.lock")


class SignsOfLife(bootsteps.StartStopStep):
    """Beats the pulse as long as the consumer's loop goes on; it may wait for a lost broker."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, consumer: Any) -> None:
        self._beat(consumer)
        consumer.timer.call_repeatedly(EVERY, self._beat, (consumer,))

    def stop(self, consumer: Any) -> None:
        pulse.rests()

    shutdown = stop

    def _beat(self, consumer: Any) -> None:
        pulse.beats()
        if pulse.is_called():  # another worker has ended
            announce_all(consumer)


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
    name, more = sys.argv[1], sys.argv[2:]
    check_servers()
    if "--beat" in more:
        more.remove("--beat")
        app.steps["worker"].add(Beat)
    # Root may run this on a machine of their own; Postgres and Valkey do not run as root.
    warnings.simplefilter("ignore", SecurityWarning)
    # Django's checks import every page; they are made before a release, and bots wait meanwhile.
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
    app.steps["consumer"].add(SignsOfLife)
    if name == INTERACTIVE:
        app.steps["consumer"].add(DueTurns)
    os.nice(NICER.get(name, 0))
    pulse.start()
    app.worker_main(
        [
            "--quiet",
            "worker",
            f"--queues={','.join(WORKERS[name])}",
            f"--hostname={name}@%h",
            f"--concurrency={os.environ.get(PROCESSES[name], USUAL.get(name, '2'))}",
            "--without-gossip",
            "--without-mingle",
            "--loglevel=WARNING",
            *more,
        ]
    )


if __name__ == "__main__":
    main()
