"""The Celery tasks: each calls one service."""

from celery import shared_task

from games.simulations import house_rules, warming, work
from games.simulations.announcements import announce_parts

__all__ = ["warming"]  # it listens for the start of the worker that loads this module


@shared_task
def run_parts() -> None:
    if work.run_parts_for_a_while():
        announce_parts(workers=1)


@shared_task
def try_options(game: str, options: str) -> None:
    house_rules.try_options(game, options)


@shared_task(expires=10)
def resend_quiet() -> None:
    work.resend_quiet()
