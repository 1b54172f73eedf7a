"""Announces that somebody said something at a match: no more than the match travels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import redis

from config.tasks import after_commit

CHANNEL: Final = "phrases"


@dataclass(frozen=True)
class SomethingSaid:
    match_id: UUID

    def send(self, broker: "redis.Redis") -> None:
        self.send_all([self], broker)

    @classmethod
    def send_all(cls, several: Sequence["SomethingSaid"], broker: "redis.Redis") -> None:
        matches = dict.fromkeys(str(one.match_id) for one in several)
        broker.publish(CHANNEL, "\n".join(matches))


def announce_saying(match_id: UUID) -> None:
    after_commit.announce(SomethingSaid(match_id))


def matches_in(message: bytes) -> Iterator[UUID]:
    """The matches of a message."""
    return map(UUID, message.decode().splitlines())
