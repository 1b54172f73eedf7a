"""Celery's door: one service call each."""

from celery import shared_task

from games.mirrored import going_on


@shared_task(expires=10)
def go_on() -> None:
    going_on.go_on_with_all()
