"""What a simulation announces: parts that wait for a worker."""

from dataclasses import dataclass

import redis
from celery import current_app

from config import after_commit

WORKERS_ASKED = 4
RUN = "games.simulations.tasks.run_parts"


@dataclass(frozen=True)
class PartsWaiting:
    """Simulations have parts to play; the worker chooses which."""

    def send(self, _broker: "redis.Redis") -> None:
        current_app.send_task(RUN, retry=False)


def announce_parts(*, workers: int = WORKERS_ASKED) -> None:
    """Asks workers to take parts of simulations, as many as may do so at once."""
    for _ in range(workers):
        after_commit.announce(PartsWaiting())
