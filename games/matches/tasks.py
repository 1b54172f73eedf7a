"""Celery's door: a class of turns or a name in, one service call."""

from datetime import timedelta

from celery import shared_task

from config.monitoring.health import sweep_is_done
from games.matches.services import draining, record_checks, recovery
from games.matches.turn_queue import TurnClass


@shared_task
def drain(turn_class: TurnClass) -> None:
    draining.drain(turn_class)


@shared_task
def check_record(name: str) -> None:
    record_checks.work_off(name)


@shared_task(expires=2)
def resend_overdue(seconds: float = recovery.OVERDUE.total_seconds()) -> None:
    recovery.resend_overdue(timedelta(seconds=seconds))
    sweep_is_done()
