"""What a commit announces: news of a match for listeners, bot turns for the workers."""

from dataclasses import dataclass
from uuid import UUID

import redis
from celery import current_app

from config import after_commit
from games.matches.snapshot import MatchSnapshot

CHANNEL = "match:{}"
BOT_TURNS = "games.matches.tasks.play_bot_turns"


@dataclass(frozen=True)
class MatchChanged:
    """A match stands at a new version; no more than that travels."""

    match_id: UUID
    version: int
    bots_due: bool

    def send(self, broker: "redis.Redis") -> None:
        broker.publish(CHANNEL.format(self.match_id), self.version)
        if self.bots_due:
            args = (str(self.match_id), self.version)
            current_app.send_task(BOT_TURNS, args, retry=False)


def announce(match: MatchSnapshot) -> None:
    """Says that a match was written; returns at once, whatever the broker does."""
    changed = MatchChanged(match.id, match.version, match.bot_due_at is not None)
    after_commit.announce(changed)
