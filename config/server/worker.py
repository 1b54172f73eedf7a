"""A worker: Celery with a few processes, for some of the queues of `config.queues`.

`python -m config.server.worker interactive` plays the bot turns that take little and recovers what
is overdue: `/readyz` asks for it. `python -m config.server.worker batch` takes all that would hold
those up, the most urgent first: bots that think long, judgements on records, matches without a
person, simulations. Its tasks end within a second where others may wait, and its processes let
the others go first. Further arguments are Celery's; with `--beat` this worker also runs the beat
(exactly one worker does).
"""

import os
import sys
import warnings
from typing import Any

from celery import bootsteps
from celery.beat import EmbeddedService
from celery.exceptions import SecurityWarning
from celery.signals import heartbeat_sent, worker_process_init

from config.celery import app, tell_readyz
from config.host.supervisor import end_with_parent
from config.queues import BATCH, INTERACTIVE, WORKERS

NICER = 10
PROCESSES = {INTERACTIVE: "WORKER_PROCESSES", BATCH: "BATCH_WORKER_PROCESSES"}


@worker_process_init.connect
def _end_with_the_worker(**_: Any) -> None:
    """A killed worker leaves nobody behind who still takes tasks."""
    end_with_parent(os.getppid())


class Beat(bootsteps.StartStopStep):
    """The beat as a thread, which ends with the worker.

    Celery's own is a process: killed alone it is missed by nobody, and no overdue turn is found.
    """

    requires = ("celery.worker.components:Pool",)

    def create(self, worker: Any) -> Any:
        return EmbeddedService(worker.app, scheduler_cls=worker.scheduler, thread=True)


def main() -> None:
    name, more = sys.argv[1], sys.argv[2:]
    if "--beat" in more:
        more.remove("--beat")
        app.steps["worker"].add(Beat)
    # Root's own machine is root's business; the servers below do not run as root.
    warnings.simplefilter("ignore", SecurityWarning)
    if name == BATCH:
        heartbeat_sent.disconnect(tell_readyz)
        os.nice(NICER)
    app.worker_main(
        [
            "--quiet",
            "worker",
            f"--queues={','.join(WORKERS[name])}",
            f"--hostname={name}@%h",
            f"--concurrency={os.environ.get(PROCESSES[name], '2')}",
            "--without-gossip",
            "--without-mingle",
            "--loglevel=WARNING",
            *more,
        ]
    )


if __name__ == "__main__":
    main()
