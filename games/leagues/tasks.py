"""Celery's door: one service call each."""

from celery import shared_task

from games.leagues import turning


@shared_task(expires=20)
def turn_weeks() -> None:
    turning.turn_weeks()
