"""The results of a simulation once all of it is played: the report and the pictures."""

import tempfile
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import msgspec
import structlog
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from cardroom.arena import reports
from cardroom.arena.reports import Report
from config.tasks.rows import each
from games.simulations.models import Simulation, SimulationPart, SimulationPicture
from games.simulations.selectors import merged_figures, report_of, request_of

DRAWING = timedelta(seconds=30)  # a worker may still be drawing
DRAWN_WITHIN = timedelta(hours=1)  # or never
log = structlog.get_logger(__name__)


def finish_if_complete(simulation_id: UUID) -> None:
    simulation = Simulation.objects.filter(id=simulation_id, status="running").first()
    if simulation is None or simulation.played < simulation.games:
        return
    request, figures = request_of(simulation), merged_figures(simulation)
    report = Report(request, reports.summarize(request, figures), figures)
    with transaction.atomic():
        done = Simulation.objects.filter(id=simulation_id, status="running").update(
            status="finished",
            finished_at=timezone.now(),
            report=msgspec.json.encode(report),
        )
        if not done:
            log.info("simulation_was_finished_already", simulation=str(simulation_id))
            return
        SimulationPart.objects.filter(simulation=simulation).delete()
    if simulation.owner_id:  # without an owner nobody looks at pictures
        _draw(simulation, report)


def draw_missing_pictures() -> None:
    """Draws the pictures of simulations whose worker ended before it did."""
    finished = Simulation.objects.filter(status="finished", owner__isnull=False, pictures=None)
    recent = Q(finished_at__gt=timezone.now() - DRAWN_WITHIN)
    begun = Q(finished_at__gt=timezone.now() - DRAWING)
    each("pictures", finished.filter(recent).exclude(begun), _draw_of, key=lambda one: one.id)


def _draw_of(simulation: Simulation) -> None:
    report = report_of(simulation)
    if report is not None:
        _draw(simulation, report)


def _draw(simulation: Simulation, report: Report) -> None:
    rows = [
        SimulationPicture(simulation=simulation, name=name, png=png)
        for name, png in _drawn(report).items()
    ]
    SimulationPicture.objects.bulk_create(rows, ignore_conflicts=True)


def _drawn(report: Report) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        return {path.name: path.read_bytes() for path in reports.draw(report, Path(folder))}
