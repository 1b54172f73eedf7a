"""Celery's door: ids and an expectation in, one service call."""

from uuid import UUID

from celery import shared_task

from games import announce
from games.services import bots, simulations, sweeping


@shared_task
def play_bot_turns(match_id: str, version: int) -> None:
    bots.take_turns(match_id=UUID(match_id), version=version)


@shared_task(expires=2)
def sweep() -> None:
    sweeping.sweep()


@shared_task
def run_simulation(simulation_id: str) -> None:
    if simulations.work(simulation_id=UUID(simulation_id)):
        announce.simulation_waits(UUID(simulation_id), workers=1)
