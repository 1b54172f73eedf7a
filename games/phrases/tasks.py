"""Celery's door: one service call each."""

from celery import shared_task

from games.phrases import speaking


@shared_task(expires=600)
def forget() -> None:
    speaking.forget()
