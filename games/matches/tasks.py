"""Celery's door: ids and an expectation in, one service call."""

from uuid import UUID

from celery import shared_task

from games.matches.services import bot_turns, recovery


@shared_task
def play_bot_turns(match_id: str, version: int) -> None:
    bot_turns.play_bot_turns(match_id=UUID(match_id), version=version)


@shared_task(expires=2)
def resend_overdue() -> None:
    recovery.resend_overdue()
