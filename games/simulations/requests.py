"""Requesting a simulation, and cancelling one."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.arena.errors import BadRequest
from games.arena.request import describe
from games.simulations import selectors
from games.simulations.announcements import announce_parts
from games.simulations.models import Simulation, SimulationPart
from games.simulations.refusals import BadSimulation, NoSuchSimulation, TooManySimulations

MOST_GAMES = 1_000_000
MOST_RUNNING = 3


def start(
    *, owner: User | None, game: str, options: Mapping[str, Any] | None = None, **choices: Any
) -> Simulation:
    """Starts a simulation; without an owner it counts in nobody's limit.

    ``choices`` are those of ``arena.request.describe``. Raises BadSimulation, TooManySimulations.
    """
    try:
        request = describe(game, values=options, custom=False, **choices)
    except BadRequest as error:
        raise BadSimulation(str(error)) from None
    if request.games > MOST_GAMES:
        raise BadSimulation(f"games must be 1 to {MOST_GAMES:,}, not {request.games:,}.")
    if owner and selectors.of(owner.pk).filter(status="running").count() >= MOST_RUNNING:
        raise TooManySimulations(f"{MOST_RUNNING} simulations of yours run; wait or cancel one.")
    found = Simulation.objects.create(
        owner=owner, game=game, games=request.games, request=msgspec.json.encode(request)
    )
    transaction.on_commit(lambda: announce_parts(found.id))
    return found


def cancel(*, simulation_id: UUID, owner: User | None) -> Simulation:
    """Stops a simulation of this owner (or without one); parts in work are thrown away."""
    mine = Simulation.objects.filter(id=simulation_id, owner=owner)
    mine.filter(status="running").update(status="cancelled", finished_at=timezone.now())
    found = mine.first()
    if found is None:
        raise NoSuchSimulation("There is no such simulation, or it is not yours.")
    if found.status == "cancelled":
        SimulationPart.objects.filter(simulation=found).delete()
    return found
