"""Celery's door for what is sent to be done at once: each task calls one service.

All that is looked for again and again is a duty (``config.tasks.duties``). Names of tasks stay, so
that workers of two releases take each other's messages.
"""

from typing import Any

from celery import shared_task

from games.coaching import hints
from games.matches import bot_turns, overdue, records
from games.matches.turn_queue import TurnClass
from games.simulations import house_rules, work

__all__ = ["work"]  # it listens for the start of the worker that loads this module


@shared_task(bind=True, name="games.matches.tasks.drain")
def drain(self: Any, turn_class: TurnClass) -> None:
    """Plays due turns. If a process died with this task, all are announced again first."""
    if (self.request.delivery_info or {}).get("redelivered"):
        overdue.resend_all()
    bot_turns.drain(turn_class)


@shared_task(expires=2, name="games.matches.tasks.resend_all")
def resend_all() -> None:
    overdue.resend_all()


@shared_task(name="games.matches.tasks.check_record")
def check_record(name: str) -> None:
    records.work_off(name)


@shared_task(expires=30, name="games.coaching.tasks.advise")
def advise(hint_id: int) -> None:
    hints.weigh(hint_id)


@shared_task(name="games.simulations.tasks.try_options")
def try_options(game: str, options: str) -> None:
    house_rules.try_options(game, options)
