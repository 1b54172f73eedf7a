"""Requests of simulations, their reads and refusals."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from accounts.locking import counted_with, locked_accounts
from accounts.models import User
from cardroom.arena.figures import Figures, merge
from cardroom.arena.reports import PICTURES, Report, Summary, summarize
from cardroom.arena.request import SimulationRequest, describe
from cardroom.arena.statistics import BadRequest
from cardroom.rules.text import say
from config.refusals import NotFound, Refusal
from config.tasks import after_commit, duties
from games.simulations.models import Simulation, SimulationPart, SimulationPicture

# Reads of simulations: those of an owner, and the results of one.
#
# A simulation without an owner is in nobody's list; the row that it was started for points to it.


def simulations_of(owner: UUID | None) -> QuerySet[Simulation]:
    """An owner's simulations, the newest first; a visitor without an account has none."""
    return Simulation.objects.none() if owner is None else Simulation.objects.filter(owner=owner)


def request_of(simulation: Simulation) -> SimulationRequest:
    return msgspec.json.decode(bytes(simulation.request), type=SimulationRequest)


def report_of(simulation: Simulation) -> Report | None:
    """The report of a finished simulation."""
    return msgspec.json.decode(bytes(simulation.report), type=Report) if simulation.report else None


def merged_figures(simulation: Simulation) -> Figures:
    """The figures of all parts that have come back."""
    stored = simulation.parts.exclude(figures=None).values_list("figures", flat=True)
    return merge(
        [msgspec.json.decode(bytes(part or b""), type=Figures) for part in stored.iterator()]
    )


def summary_so_far(simulation: Simulation) -> Summary | None:
    """The summary of what is played so far; None before the first part has come back."""
    report = report_of(simulation)
    if report is not None:
        return report.summary
    figures = merged_figures(simulation)
    return summarize(request_of(simulation), figures) if figures.matches else None


def pictures_of(simulation: Simulation) -> list[str]:
    """The names of the plots that are drawn, in the order of the arena."""
    drawn = set(simulation.pictures.values_list("name", flat=True))
    return [name for name in PICTURES if name in drawn]


def picture(simulation: Simulation, name: str) -> bytes | None:
    """A plot of a finished simulation as PNG."""
    drawn = SimulationPicture.objects.filter(simulation=simulation, name=name).first()
    return bytes(drawn.png) if drawn else None


# Why a simulation was refused.


class BadSimulation(Refusal, status=422):
    """The simulation cannot be run as asked."""


class NoSuchSimulation(NotFound):
    """There is no such simulation, or it is not yours."""


class TooManySimulations(Refusal, status=409):
    """You have too many simulations running."""


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
