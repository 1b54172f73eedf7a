"""The announcement of exports: a file that waits for a worker."""

from dataclasses import dataclass
from uuid import UUID

import redis
from celery import current_app

from config.tasks import after_commit

WRITE = "games.exports.tasks.write"


@dataclass(frozen=True)
class FileWaiting:
    """A file has matches left to write."""

    file_id: UUID

    def send(self, _broker: "redis.Redis") -> None:
        current_app.send_task(WRITE, args=[str(self.file_id)], retry=False)


def announce_file(file_id: UUID) -> None:
    after_commit.announce(FileWaiting(file_id))
