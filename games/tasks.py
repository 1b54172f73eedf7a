"""Celery's door: ids and an expectation in, one service call."""

from uuid import UUID

from celery import shared_task

from games.services import bots, sweeping


@shared_task
def play_bot_turns(match_id: str, version: int) -> None:
    bots.take_turns(match_id=UUID(match_id), version=version)


@shared_task(expires=2)
def sweep() -> None:
    sweeping.sweep()
