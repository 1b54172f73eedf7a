"""Celery's door: one service call each."""

from celery import shared_task

from games.idle import nudging


@shared_task(expires=280)
def nudge() -> None:
    nudging.nudge_all()
    nudging.forget()
