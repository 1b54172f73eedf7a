"""The announcement of options to be tried out."""

from dataclasses import dataclass, field

import redis
from celery import current_app

from config.tasks import after_commit
from config.tasks.queues import SLOW
from config.telemetry import work

TRY = "games.simulations.tasks.try_options"


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
            current_app.send_task(
                TRY, args=arguments, queue=SLOW, expires=self.seconds, retry=False
            )


def announce_options(game: str, options: str, seconds: int) -> None:
    """Sends options to a worker to be tried out; ``options`` are those of the game as JSON."""
    after_commit.announce(OptionsWaiting(game, options, seconds))
