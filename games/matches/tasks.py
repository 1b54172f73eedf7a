"""The Celery tasks: each takes a class of turns or a name and calls one service."""

from typing import Any

from celery import shared_task

from config.monitoring.health import sweep_is_done
from games.matches.overdue import recovery
from games.matches.records import record_checks
from games.matches.seating import rating
from games.matches.turn_queue import TurnClass
from games.matches.turns import draining


@shared_task(bind=True)
def drain(self: Any, turn_class: TurnClass) -> None:
    """Plays due turns. If a process died with this task, all are announced again first."""
    if (self.request.delivery_info or {}).get("redelivered"):
        recovery.resend_all()
    draining.drain(turn_class)


@shared_task
def check_record(name: str) -> None:
    record_checks.work_off(name)


@shared_task(expires=2)
def resend_overdue() -> None:
    recovery.resend_overdue()
    sweep_is_done()


@shared_task(expires=2)
def resend_all() -> None:
    recovery.resend_all()
    sweep_is_done()


@shared_task
def end_unfit_ratings() -> None:
    rating.end_unfit()
