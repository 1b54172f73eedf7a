"""Celery's door: ids in, one service call."""

from uuid import UUID

from celery import shared_task

from games.simulations import work
from games.simulations.announcements import announce_parts


@shared_task
def run_simulation(simulation_id: str) -> None:
    if work.run_parts_for_a_while(simulation_id=UUID(simulation_id)):
        announce_parts(UUID(simulation_id), workers=1)


@shared_task(expires=10)
def resend_quiet() -> None:
    work.resend_quiet()
