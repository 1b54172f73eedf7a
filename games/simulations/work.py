"""Playing a simulation in parts: claimed, run, stored, claimed again when lost.

Every part depends on the request and its match numbers alone, so a part that was lost with its
worker is claimed by another one and gives the same figures.
"""

from datetime import timedelta
from time import monotonic
from uuid import UUID

import msgspec
import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.arena.errors import ArenaError
from games.arena.figures import Figures
from games.arena.request import Part, run_part
from games.simulations.announcements import announce_parts
from games.simulations.models import Simulation, SimulationPart
from games.simulations.results import finish_if_complete
from games.simulations.selectors import request_of

SECONDS_A_PART = 1.0
SECONDS_A_TASK = 8.0
MOST_GAMES_A_PART = 2000
LOST_AFTER = timedelta(seconds=60)
log = structlog.get_logger(__name__)


def run_parts_for_a_while(*, simulation_id: UUID) -> bool:
    """Plays parts for a while; whether there may be more to do."""
    until, size = monotonic() + SECONDS_A_TASK, 1
    while monotonic() < until:
        part = _claim_part(simulation_id, size)
        if part is None:
            finish_if_complete(simulation_id)
            return False
        began = monotonic()
        try:
            figures = run_part(request_of(part.simulation), Part(part.first, part.games))
        except ArenaError as error:
            _fail(simulation_id, str(error))
            return False
        _store_figures(part, figures)
        size = _next_size(part.games, monotonic() - began)
    return True


def resend_quiet() -> None:
    """Announces running simulations again of which no part was claimed for a while."""
    quiet = timezone.now() - timedelta(seconds=2 * SECONDS_A_TASK)
    for found in Simulation.objects.filter(status="running", created_at__lt=quiet):
        if not found.parts.filter(given_at__gt=quiet).exists():
            announce_parts(found.id)


def _next_size(size: int, seconds: float) -> int:
    """As many matches as take about a second here, approached in steps."""
    wanted = int(size * SECONDS_A_PART / max(seconds, 1e-4))
    return max(1, min(wanted, size * 8, MOST_GAMES_A_PART))


def _claim_part(simulation_id: UUID, size: int) -> SimulationPart | None:
    """A new part, or one that was given out and never came back."""
    with transaction.atomic():
        found = Simulation.objects.select_for_update().filter(id=simulation_id).first()
        if found is None or found.status != "running":
            return None
        if found.claimed < found.games:
            size = min(size, found.games - found.claimed)
            part = SimulationPart.objects.create(simulation=found, first=found.claimed, games=size)
            Simulation.objects.filter(id=found.id).update(claimed=F("claimed") + size)
            return part
        return _lost_part(found)


def _lost_part(found: Simulation) -> SimulationPart | None:
    lost = found.parts.filter(figures=None, given_at__lt=timezone.now() - LOST_AFTER).first()
    if lost is not None:
        lost.given_at = timezone.now()
        lost.save(update_fields=["given_at"])
    return lost


def _store_figures(part: SimulationPart, figures: Figures) -> None:
    """Only the first answer of a part counts, and none once the simulation was cancelled."""
    with transaction.atomic():
        unanswered = SimulationPart.objects.filter(id=part.id, figures=None)
        if unanswered.update(figures=msgspec.json.encode(figures)):
            running = Simulation.objects.filter(id=part.simulation_id)
            running.update(played=F("played") + part.games)


def _fail(simulation_id: UUID, fault: str) -> None:
    log.error("simulation_failed", simulation=str(simulation_id), fault=fault)
    Simulation.objects.filter(id=simulation_id, status="running").update(
        status="failed", fault=fault, finished_at=timezone.now()
    )
