"""Celery's door: one service call each."""

from celery import shared_task

from games.causes import deriving


@shared_task(expires=6)
def derive() -> None:
    deriving.derive()
