"""Celery's door: what to measure and an expectation in, one service call."""

from celery import shared_task

from decks.services import measurement


@shared_task
def measure(code: str, played: int) -> None:
    measurement.play_on(code=code, played=played)
