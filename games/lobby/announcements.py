"""What a seek announces: that there is somebody to pair. The beat finds what is lost of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import redis
from celery import current_app
from django.core.cache import cache

from config.tasks import after_commit

PAIR: Final = "games.lobby.tasks.pair"
SENT: Final = "lobby:asked"  # a task is on its way
LOST_AFTER: Final = 2  # seconds


@dataclass(frozen=True)
class SomebodyWaits:
    def send(self, _broker: "redis.Redis") -> None:
        """One task for all who ask while it is on its way."""
        if cache.add(SENT, 1, timeout=LOST_AFTER):
            current_app.send_task(PAIR, retry=False)

    @classmethod
    def send_all(cls, several: Sequence["SomebodyWaits"], broker: "redis.Redis") -> None:
        several[0].send(broker)


def announce_seek() -> None:
    after_commit.announce(SomebodyWaits())


def hear() -> None:
    """The task is there: who seeks from now on asks for another one."""
    cache.delete(SENT)
