"""Celery's door: what to measure and an expectation in, one service call."""

from celery import shared_task

from decks.services import measuring


@shared_task
def measure(code: str, played: int) -> None:
    measuring.play_on(code=code, played=played)
