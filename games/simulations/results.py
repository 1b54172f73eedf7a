"""What comes of a simulation: the merged figures, the report, the pictures."""

import tempfile
from pathlib import Path
from uuid import UUID

import msgspec
import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.arena import plots, reports, summary
from games.arena.figures import Figures, merge
from games.arena.request import SimulationRequest
from games.simulations.models import Simulation, SimulationPart, SimulationPicture

PLOTS = tuple(plots.PICTURES)
log = structlog.get_logger(__name__)


def finish_if_complete(simulation_id: UUID) -> None:
    found = Simulation.objects.filter(id=simulation_id, status="running").first()
    if found is None or found.played < found.games:
        return
    figures = merged(found)
    asked = msgspec.json.decode(bytes(found.request), type=SimulationRequest)
    report = reports.Report(asked, summary.summarize(asked, figures), figures)
    pictures = _drawn(report)
    try:
        with transaction.atomic():
            done = Simulation.objects.filter(id=simulation_id, status="running").update(
                status="finished",
                finished_at=timezone.now(),
                report=msgspec.json.encode(report),
            )
            if done:
                SimulationPicture.objects.bulk_create(
                    SimulationPicture(simulation=found, name=name, png=png)
                    for name, png in pictures.items()
                )
                SimulationPart.objects.filter(simulation=found).delete()
    except IntegrityError:
        log.info("simulation_was_finished_already", simulation=str(simulation_id))


def merged(found: Simulation) -> Figures:
    """The figures of all parts that have come back."""
    answered = found.parts.exclude(figures=None).values_list("figures", flat=True)
    return merge(
        [msgspec.json.decode(bytes(part or b""), type=Figures) for part in answered.iterator()]
    )


def _drawn(report: reports.Report) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        return {path.name: path.read_bytes() for path in plots.draw(report, Path(folder))}
