"""Celery's door: one service call each."""

from celery import shared_task

from games.people import counting


@shared_task(expires=10)
def count_finished() -> None:
    counting.count_finished()
