"""What a simulation announces: parts that wait for a worker."""

from dataclasses import dataclass
from uuid import UUID

import redis
from celery import current_app

from config import after_commit

WORKERS_ASKED = 4
RUN = "games.simulations.tasks.run_simulation"


@dataclass(frozen=True)
class PartsWaiting:
    """A simulation has parts to play."""

    simulation_id: UUID

    def send(self, _broker: "redis.Redis") -> None:
        current_app.send_task(RUN, (str(self.simulation_id),), retry=False)


def announce_parts(simulation_id: UUID, *, workers: int = WORKERS_ASKED) -> None:
    """Asks workers to take parts of a simulation, as many as may do so at once."""
    for _ in range(workers):
        after_commit.announce(PartsWaiting(simulation_id))
