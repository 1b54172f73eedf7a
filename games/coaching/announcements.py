"""The announcement of analyses: some wait for a worker."""

from dataclasses import dataclass

import redis
from celery import current_app

from config.tasks import after_commit

RUN = "games.coaching.tasks.judge"


@dataclass(frozen=True)
class AnalysesWaiting:
    """Analyses have decisions to judge; the worker chooses which."""

    def send(self, _broker: "redis.Redis") -> None:
        current_app.send_task(RUN, retry=False)


def announce_work() -> None:
    after_commit.announce(AnalysesWaiting())
