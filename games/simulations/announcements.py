"""The announcements of simulations: parts that wait for a worker, options to be tried out."""

from dataclasses import dataclass, field

import redis
from celery import current_app

from config.tasks import after_commit
from config.telemetry import work

WORKERS = 4
RUN = "games.simulations.tasks.run_parts"
TRY = "games.simulations.tasks.try_options"


@dataclass(frozen=True)
class PartsWaiting:
    """Simulations have parts to play; the worker chooses which."""

    request_id: str = field(default_factory=work.request_id, compare=False)

    def send(self, _broker: "redis.Redis") -> None:
        with work.working_for(self.request_id):
            current_app.send_task(RUN, retry=False)


@dataclass(frozen=True)
class OptionsWaiting:
    """A form with these options is open: they are worth trying for so many seconds."""

    game: str
    options: str
    seconds: int
    request_id: str = field(default_factory=work.request_id, compare=False)

    def send(self, _broker: "redis.Redis") -> None:
        arguments = [self.game, self.options]
        with work.working_for(self.request_id):
            current_app.send_task(TRY, args=arguments, expires=self.seconds, retry=False)


def announce_options(game: str, options: str, seconds: int) -> None:
    """Sends options to a worker to be tried out; ``options`` are those of the game as JSON."""
    after_commit.announce(OptionsWaiting(game, options, seconds))


def announce_parts(*, workers: int = WORKERS) -> None:
    """Sends tasks that take parts of simulations, as many as may do so at once."""
    for _ in range(workers):
        after_commit.announce(PartsWaiting())
