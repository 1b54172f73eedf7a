"""The worker of one machine: Celery with a few processes and the beat inside.

Containers call `celery -A config.celery worker` and `… beat` instead, one of each kind or more.
"""

import os
import sys
import warnings
from typing import Any

from celery.exceptions import SecurityWarning
from celery.signals import beat_embedded_init, worker_process_init

from config.celery import app
from config.children import end_with_parent


@worker_process_init.connect
@beat_embedded_init.connect
def _end_with_the_worker(**_: Any) -> None:
    """A killed worker leaves nobody behind who still takes tasks or beats a second time."""
    end_with_parent(os.getppid())


def main() -> None:
    # Root's own machine is root's business; the servers below do not run as root.
    warnings.simplefilter("ignore", SecurityWarning)
    app.worker_main(
        [
            "--quiet",
            "worker",
            "--beat",
            f"--concurrency={os.environ.get('WORKER_PROCESSES', '2')}",
            "--without-gossip",
            "--without-mingle",
            "--loglevel=WARNING",
            *sys.argv[1:],
        ]
    )


if __name__ == "__main__":
    main()
