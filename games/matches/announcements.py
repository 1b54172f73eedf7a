"""What a commit announces: news of a match for listeners, due bot turns for the workers."""

from dataclasses import dataclass
from uuid import UUID

import redis
from celery import current_app

from config import after_commit
from config.queues import ALONE, INTERACTIVE, SLOW
from games.matches import turn_queue
from games.matches.snapshot import MatchSnapshot
from games.matches.turn_queue import DueTurn, TurnClass

CHANNEL = "match:{}"
DRAIN = "games.matches.tasks.drain"
QUEUES: dict[TurnClass, str] = {"quick": INTERACTIVE, "slow": SLOW, "alone": ALONE}


@dataclass(frozen=True)
class MatchChanged:
    """A match stands at a new version; no more than that travels."""

    match_id: UUID
    version: int
    turn: DueTurn | None

    def send(self, broker: "redis.Redis") -> None:
        broker.publish(CHANNEL.format(self.match_id), self.version)
        if self.turn:
            seconds = turn_queue.push(self.turn, broker)
            if seconds is not None:
                send_drain(self.turn.turn_class, seconds)


def announce(*matches: MatchSnapshot) -> None:
    """Says that matches were written; returns at once, whatever the broker does."""
    for match in matches:
        after_commit.announce(MatchChanged(match.id, match.version, turn_queue.due_turn(match)))


def send_drain(turn_class: TurnClass, seconds: float = 0.0) -> None:
    """Asks a worker to play the due turns of a class, now or in some seconds."""
    current_app.send_task(
        DRAIN, (turn_class,), queue=QUEUES[turn_class], countdown=seconds or None, retry=False
    )
