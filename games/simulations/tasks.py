"""Celery's door: nothing in, one service call."""

from celery import shared_task

from games.simulations import work
from games.simulations.announcements import announce_parts


@shared_task
def run_parts() -> None:
    if work.run_parts_for_a_while():
        announce_parts(workers=1)


@shared_task(expires=10)
def resend_quiet() -> None:
    work.resend_quiet()
