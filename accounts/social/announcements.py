"""Announces blocks and friendships.

An app that knows of invitations subscribes to blocks in ``AppConfig.ready``. What changes between
friends is published with no more than the ids of their accounts; streams read the rest.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import redis

from config.tasks import after_commit

# Called with the ids of the owner and the blocked account, in the transaction of the block.
subscribers: "list[Callable[[UUID, UUID], None]]" = []

CHANNEL: Final = "accounts"


@dataclass(frozen=True)
class FriendsChanged:
    """Something changed between these accounts, or there is other news for them alone."""

    accounts: tuple[UUID, ...]

    def send(self, broker: "redis.Redis") -> None:
        self.send_all([self], broker)

    @classmethod
    def send_all(cls, several: Sequence["FriendsChanged"], broker: "redis.Redis") -> None:
        accounts = dict.fromkeys(id_ for one in several for id_ in one.accounts)
        broker.publish(CHANNEL, "\n".join(map(str, accounts)))


def announce_friends(*accounts: UUID) -> None:
    after_commit.announce(FriendsChanged(accounts))


def accounts_in(message: bytes) -> Iterator[UUID]:
    """The accounts of a message."""
    return map(UUID, message.decode().splitlines())
