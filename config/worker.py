"""A worker: Celery with a few processes, for one of two lines of tasks.

`python -m config.worker tables` plays bots and sweeps: somebody waits for each of its tasks, and
`/readyz` asks for it. `python -m config.worker long` runs simulations and deck profiles and lets
all others go first. What follows is Celery's (`--beat` puts the beat inside; one of them has it).
"""

import os
import sys
import warnings
from typing import Any

from celery.exceptions import SecurityWarning
from celery.signals import beat_embedded_init, heartbeat_sent, worker_process_init

from config.celery import LONG, app, tell_readyz
from config.children import end_with_parent

NICER = 10
QUEUES = {"tables": "celery", "long": LONG}
PROCESSES = {"tables": "WORKER_PROCESSES", "long": "LONG_WORKER_PROCESSES"}


@worker_process_init.connect
@beat_embedded_init.connect
def _end_with_the_worker(**_: Any) -> None:
    """A killed worker leaves nobody behind who still takes tasks or beats a second time."""
    end_with_parent(os.getppid())


def main() -> None:
    line, more = sys.argv[1], sys.argv[2:]
    # Root's own machine is root's business; the servers below do not run as root.
    warnings.simplefilter("ignore", SecurityWarning)
    if line == "long":
        heartbeat_sent.disconnect(tell_readyz)
        os.nice(NICER)
    app.worker_main(
        [
            "--quiet",
            "worker",
            f"--queues={QUEUES[line]}",
            f"--hostname={line}@%h",
            f"--concurrency={os.environ.get(PROCESSES[line], '2')}",
            "--without-gossip",
            "--without-mingle",
            "--loglevel=WARNING",
            *more,
        ]
    )


if __name__ == "__main__":
    main()
