"""The announcement of matches that wait to be looked through."""

from dataclasses import dataclass

import redis
from celery import current_app

from config.tasks import after_commit

RUN = "games.exercises.tasks.look"


@dataclass(frozen=True)
class ScansWaiting:
    """Matches wait to be looked through; the worker chooses which."""

    def send(self, _broker: "redis.Redis") -> None:
        current_app.send_task(RUN, retry=False)


def announce_work() -> None:
    after_commit.announce(ScansWaiting())
