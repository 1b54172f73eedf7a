"""Simulations in the background: asked for, given out in parts, delivered, merged, cancelled.

Workers take parts until none is left. Every part depends on the request and its match numbers
alone, so parts may be lost with a worker and taken again by another without a trace in the figures.
"""

import tempfile
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import UUID

import msgspec
import structlog
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games import announce
from games.arena import plots, reports, simulation, summary
from games.arena.errors import ArenaError, BadRequest
from games.arena.figures import Figures
from games.models import Simulation, SimulationPart, SimulationPicture
from games.services.refusals import BadSimulation, NotFound, TooManySimulations

MOST_GAMES = 1_000_000
MOST_RUNNING = 3
PLOTS = tuple(plots.PICTURES)
SECONDS_A_PART = 1.0
SECONDS_A_TASK = 8.0
MOST_GAMES_A_PART = 2000
LOST_AFTER = timedelta(seconds=60)

log = structlog.get_logger(__name__)


def start(
    *,
    owner: User,
    game: str,
    options: Mapping[str, Any] | None = None,
    preset: str | None = None,
    bots: Sequence[str] = (),
    games: int = 1000,
    seed: int = 0,
    swap: bool = False,
) -> Simulation:
    """Takes a simulation on; raises ``Refused``: BadSimulation, TooManySimulations."""
    if games > MOST_GAMES:
        raise BadSimulation(f"games must be 1 to {MOST_GAMES:,}, not {games:,}.")
    if Simulation.objects.filter(owner=owner, status="running").count() >= MOST_RUNNING:
        raise TooManySimulations(f"{MOST_RUNNING} simulations of yours run; wait or cancel one.")
    try:
        asked = simulation.describe(
            game, values=options, preset=preset, bots=bots, games=games, seed=seed, swap=swap
        )
    except BadRequest as error:
        raise BadSimulation(str(error)) from None
    found = Simulation.objects.create(
        owner=owner, game=game, games=games, request=msgspec.json.encode(asked)
    )
    announce.simulation_waits(found.id)
    return found


def work(*, simulation_id: UUID) -> bool:
    """Plays parts for a while; whether there may be more to do."""
    until, size = monotonic() + SECONDS_A_TASK, 1
    while monotonic() < until:
        part = _take(simulation_id, size)
        if part is None:
            _finish_if_complete(simulation_id)
            return False
        began = monotonic()
        try:
            figures = simulation.run_chunk(_request(part), simulation.Chunk(part.first, part.games))
        except ArenaError as error:
            _fail(simulation_id, str(error))
            return False
        _deliver(part, figures)
        size = _next_size(part.games, monotonic() - began)
    return True


def cancel(*, simulation_id: UUID, owner: User) -> Simulation:
    """Stops a simulation; parts that are being played are thrown away."""
    mine = Simulation.objects.filter(id=simulation_id, owner=owner)
    mine.filter(status="running").update(status="cancelled", finished_at=timezone.now())
    found = mine.first()
    if found is None:
        raise NotFound("There is no such simulation, or it is not yours.")
    if found.status == "cancelled":
        SimulationPart.objects.filter(simulation=found).delete()
    return found


def sweep() -> None:
    """Sends word of running simulations for which nobody has taken a part for a while."""
    quiet = timezone.now() - timedelta(seconds=2 * SECONDS_A_TASK)
    for found in Simulation.objects.filter(status="running", created_at__lt=quiet):
        if not found.parts.filter(given_at__gt=quiet).exists():
            announce.simulation_waits(found.id)


def _request(part: SimulationPart) -> simulation.Simulation:
    return msgspec.json.decode(bytes(part.simulation.request), type=simulation.Simulation)


def _next_size(size: int, seconds: float) -> int:
    """As many matches as take about a second here, approached in steps."""
    wanted = int(size * SECONDS_A_PART / max(seconds, 1e-4))
    return max(1, min(wanted, size * 8, MOST_GAMES_A_PART))


def _take(simulation_id: UUID, size: int) -> SimulationPart | None:
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


def _deliver(part: SimulationPart, figures: Figures) -> None:
    """Only the first answer of a part counts, and none once the simulation was cancelled."""
    with transaction.atomic():
        unanswered = SimulationPart.objects.filter(id=part.id, figures=None)
        if unanswered.update(figures=msgspec.json.encode(figures)):
            running = Simulation.objects.filter(id=part.simulation_id)
            running.update(played=F("played") + part.games)


def _finish_if_complete(simulation_id: UUID) -> None:
    found = Simulation.objects.filter(id=simulation_id, status="running").first()
    if found is None or found.played < found.games:
        return
    figures = merged(found)
    asked = msgspec.json.decode(bytes(found.request), type=simulation.Simulation)
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
    return simulation.merge(
        [msgspec.json.decode(bytes(part or b""), type=Figures) for part in answered.iterator()]
    )


def _drawn(report: reports.Report) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        return {path.name: path.read_bytes() for path in plots.draw(report, Path(folder))}


def _fail(simulation_id: UUID, fault: str) -> None:
    log.error("simulation_failed", simulation=str(simulation_id), fault=fault)
    Simulation.objects.filter(id=simulation_id, status="running").update(
        status="failed", fault=fault, finished_at=timezone.now()
    )
