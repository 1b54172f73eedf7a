"""The announcement of hints that wait for a worker."""

from dataclasses import dataclass

import redis
from celery import current_app

from config.tasks import after_commit
from config.tasks.queues import SLOW

ADVISE = "games.coaching.tasks.advise"


@dataclass(frozen=True)
class HintWaiting:
    """A person at a table waits for a hint."""

    hint_id: int

    def send(self, _broker: "redis.Redis") -> None:
        current_app.send_task(ADVISE, (self.hint_id,), queue=SLOW, retry=False)


def announce_hint(hint_id: int) -> None:
    after_commit.announce(HintWaiting(hint_id))
