"""Reads of simulations: those of an owner, and the results of one.

A simulation without an owner is in nobody's list; the row that it was started for points to it.
"""

from uuid import UUID

import msgspec
from django.db.models import QuerySet

from cardroom.arena.figures import Figures, merge
from cardroom.arena.reports import PICTURES, Report, Summary, summarize
from cardroom.arena.request import SimulationRequest
from games.simulations.models import Simulation, SimulationPicture


def of(owner: UUID | None) -> QuerySet[Simulation]:
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
