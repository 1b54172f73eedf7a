"""Requesting a simulation, and cancelling one."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.utils import timezone

from accounts.models import User
from accounts.services.locking import locked_accounts
from accounts.services.neighbours import counted_with
from cardroom.arena.request import describe
from cardroom.arena.statistics import BadRequest
from cardroom.rules.text import say
from config.tasks import after_commit, duties
from games.simulations.models import Simulation, SimulationPart
from games.simulations.refusals import BadSimulation, NoSuchSimulation, TooManySimulations

MOST_GAMES = 1_000_000


def start(
    *,
    owner: User | None,
    game: str,
    options: Mapping[str, Any] | None = None,
    requester: User | None = None,
    **choices: Any,
) -> Simulation:
    """Starts a simulation; one without an owner is limited by the service that starts it.

    It is played on the share of its ``requester``, by default the owner. ``choices`` are those of
    ``arena.request.describe``. Raises BadSimulation, TooManySimulations.
    """
    try:
        request = describe(game, values=options, custom=False, **choices)
    except BadRequest as error:
        raise BadSimulation(error.args[0]) from None
    if request.games > MOST_GAMES:
        raise BadSimulation(
            say(
                "games must be 1 to {most}, not {n}.",
                most=f"{MOST_GAMES:,}",
                n=f"{request.games:,}",
            )
        )
    row = Simulation(
        owner=owner,
        requester=requester or owner,
        game=game,
        games=request.games,
        request=msgspec.json.encode(request),
    )
    if owner is None:
        return _written(row)
    with locked_accounts(owner.pk):
        owners = counted_with(owner.pk)
        most = owners.most(settings.LIMITS["simulations"])
        if Simulation.objects.filter(owner__in=owners.ids, status="running").count() >= most:
            raise TooManySimulations(
                say("{n} simulations of yours run; wait or cancel one.", n=most)
            )
        return _written(row)


def _written(row: Simulation) -> Simulation:
    row.save(force_insert=True)
    after_commit.when_committed(lambda: duties.announce("simulations"))
    return row


def cancel(*, simulation_id: UUID, owner: User | None) -> Simulation:
    """Stops a simulation of this owner (or without one); parts in work are thrown away."""
    mine = Simulation.objects.filter(id=simulation_id, owner=owner)
    mine.filter(status="running").update(status="cancelled", finished_at=timezone.now())
    simulation = mine.first()
    if simulation is None:
        raise NoSuchSimulation("There is no such simulation, or it is not yours.")
    if simulation.status == "cancelled":
        SimulationPart.objects.filter(simulation=simulation).delete()
    return simulation
