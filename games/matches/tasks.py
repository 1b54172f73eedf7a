"""Celery's door: the class of what is due in, one service call."""

from celery import shared_task

from games.matches.services import draining, recovery
from games.matches.turn_queue import TurnClass


@shared_task
def drain(turn_class: TurnClass) -> None:
    draining.drain(turn_class)


@shared_task(expires=2)
def resend_overdue() -> None:
    recovery.resend_overdue()
