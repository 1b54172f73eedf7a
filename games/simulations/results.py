"""What is stored of a simulation once all of it is played: the report and the pictures."""

import tempfile
from pathlib import Path
from uuid import UUID

import msgspec
import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.arena import plots, reports, summary
from games.simulations.models import Simulation, SimulationPart, SimulationPicture
from games.simulations.selectors import merged_figures, request_of

PLOTS = tuple(plots.PICTURES)
log = structlog.get_logger(__name__)


def finish_if_complete(simulation_id: UUID) -> None:
    found = Simulation.objects.filter(id=simulation_id, status="running").first()
    if found is None or found.played < found.games:
        return
    request, figures = request_of(found), merged_figures(found)
    report = reports.Report(request, summary.summarize(request, figures), figures)
    pictures = _drawn(report) if found.owner_id else {}  # without an owner nobody looks at them
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


def _drawn(report: reports.Report) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        return {path.name: path.read_bytes() for path in plots.draw(report, Path(folder))}
