"""What decks tell the workers. A broker that is away keeps nobody waiting: one thread sends."""

from concurrent.futures import ThreadPoolExecutor
from typing import Final

import structlog
from celery import current_app

SENDER: Final = ThreadPoolExecutor(1, "deck-messages")
log = structlog.get_logger(__name__)


def send_chunk(code: str, played: int) -> None:
    """Asks a worker for the next matches of a measurement; returns at once."""
    SENDER.submit(_send, "decks.tasks.measure", (code, played))


def _send(task: str, args: tuple[object, ...]) -> None:
    try:
        current_app.send_task(task, args, retry=False)
    except Exception as error:  # noqa: BLE001 - whatever the broker has: it is sent again later
        log.warning("deck_message_lost", task=task, error=str(error))
