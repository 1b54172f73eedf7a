"""Celery's door: one service call each."""

from celery import shared_task

from games.daily import computers, turning


@shared_task(expires=20)
def turn_days() -> None:
    turning.publish()
    turning.reveal()


@shared_task(expires=30)
def let_computers_play() -> None:
    computers.play_revealed()
