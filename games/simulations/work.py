"""Simulations: asked for and read; played in parts that are claimed, run, stored or paused.

The account on whose simulations workers spent least lately comes first, so that a small simulation
does not wait for large ones of others. More than ``SECONDS_COUNTED`` makes no difference:
among equals the one that was served longest ago is next. Every part depends on the request and its
match numbers alone: one that was lost with its worker is claimed by another and gives the same
figures.
"""

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from itertools import product
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import structlog
from celery.signals import worker_ready
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, Least
from django.db.models.lookups import IsNull
from django.utils import timezone

from accounts.locking import counted_with, locked_accounts
from accounts.models import User
from cardroom.arena import compiled_code, doctor, reports
from cardroom.arena.doctor import Diagnosis, Examination, ExaminationState
from cardroom.arena.figures import Figures, merge
from cardroom.arena.reports import PICTURES as REPORTS_PICTURES
from cardroom.arena.reports import Report, Summary, summarize
from cardroom.arena.request import (
    Part,
    PausedPart,
    SimulationRequest,
    describe,
    most_in_a_part,
    run_part_until,
)
from cardroom.arena.statistics import ArenaError, BadRequest
from cardroom.rules.text import say
from config.models import Trouble
from config.refusals import NotFound, Refusal
from config.tasks import after_commit, duties, rows
from config.tasks.duties import Duty
from config.tasks.queues import BATCH
from config.tasks.rows import each
from games.absent import of_installed_games
from games.simulations.models import Simulation, SimulationPart, SimulationPicture

# Requests of simulations, their reads and refusals.

# Reads of simulations: those of an owner, and the results of one.
#
# A simulation without an owner is in nobody's list; the row that it was started for points to it.


def simulations_of(owner: UUID | None) -> QuerySet[Simulation]:
    """An owner's simulations, the newest first; a visitor without an account has none."""
    return Simulation.objects.none() if owner is None else Simulation.objects.filter(owner=owner)


class RequestKind(NamedTuple):
    """The types of a request, of the figures of its parts, of one that paused; what plays a part.

    ``whole``: one part has all matches, as later ones depend on earlier ones; its figures are the
    report.
    """

    request: Any
    figures: Any
    paused: Any
    run: Callable[..., Any]
    whole: bool = False


class RequestTag(msgspec.Struct, frozen=True):
    kind: str = ""


KINDS: Final = {
    "": RequestKind(SimulationRequest, Figures, PausedPart, run_part_until),
    "doctor": RequestKind(Examination, Diagnosis, ExaminationState, doctor.run_until, whole=True),
}


def kind_of(simulation: Simulation) -> RequestKind:
    return KINDS[msgspec.json.decode(bytes(simulation.request), type=RequestTag).kind]


def diagnosis_of(simulation: Simulation) -> Diagnosis | None:
    """The diagnosis of the deck doctor, once it is finished."""
    report = simulation.report
    return msgspec.json.decode(bytes(report), type=Diagnosis) if report else None


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
    return [name for name in REPORTS_PICTURES if name in drawn]


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


def start_examination(request: Examination, requester: User) -> Simulation:
    """Starts the deck doctor on the share of the ``requester``; the service above limits it."""
    row = Simulation(
        requester=requester,
        game=doctor.GAME,
        games=doctor.matches_of(request),
        request=msgspec.json.encode(request),
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


# The results of a simulation once all of it is played: the report and the pictures.

DRAWING = timedelta(seconds=30)  # a worker may still be drawing
DRAWN_WITHIN = timedelta(hours=1)  # or never
log = structlog.get_logger(__name__)


def finish_if_complete(simulation_id: UUID) -> None:
    simulation = Simulation.objects.filter(id=simulation_id, status="running").first()
    if simulation is None or simulation.played < simulation.games:
        return
    if kind_of(simulation).whole:
        encoded = bytes(simulation.parts.get().figures or b"")
    else:
        request, figures = request_of(simulation), merged_figures(simulation)
        report = Report(request, reports.summarize(request, figures), figures)
        encoded = msgspec.json.encode(report)
    with transaction.atomic():
        done = Simulation.objects.filter(id=simulation_id, status="running").update(
            status="finished",
            finished_at=timezone.now(),
            report=encoded,
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


SECONDS_A_PART = 0.25  # then it pauses, between two moves
SECONDS_A_TASK = 0.5  # then its worker looks for what is more urgent
SECONDS_COUNTED = 60  # of a worker, within LATELY
LATELY = timedelta(seconds=60)
FEWEST_PARTS = 16  # of one simulation, for several workers
LOST_AFTER = timedelta(seconds=60)
NAME = "simulations"
WORKERS = 4  # at once, on several machines
TRIES = 3


def run_parts_for_a_while() -> bool:
    """Plays parts for a while; whether there may be more to do."""
    compiled_code.prepare()  # not while a row is locked
    until = rows.until(SECONDS_A_TASK)
    while monotonic() < until:
        part = _claim_part()
        if part is None:
            _finish_complete()
            return False
        _try(part)
        rows.is_over()  # a sign of life
    rows.more()
    return True


def _try(part: SimulationPart) -> None:
    """One that fails three times ends its simulation; until then it waits for a growing pause."""
    row = str(part.simulation_id)
    done, _ = rows.attempt(NAME, row, lambda: _run(part), gives_up=True)
    if not done and rows.troubles(NAME)[row].is_set_aside:
        _fail(part.simulation, "Something broke while it was played.")
    elif not done:
        SimulationPart.objects.filter(id=part.id, figures=None).update(given_at=None)


def _run(part: SimulationPart) -> None:
    begun = monotonic()
    until = begun + SECONDS_A_PART
    kind, numbers = kind_of(part.simulation), Part(part.first, part.games)
    request = msgspec.json.decode(bytes(part.simulation.request), type=kind.request)
    try:
        played = kind.run(request, numbers, lambda: monotonic() > until, _paused(part, kind))
    except ArenaError as error:
        _fail(part.simulation, str(error))
        return
    spent = Simulation.objects.filter(id=part.simulation_id)
    spent.update(seconds=F("seconds") + (monotonic() - begun))
    if isinstance(played, kind.paused):
        unplayed = SimulationPart.objects.filter(id=part.id, figures=None)
        if unplayed.update(paused=msgspec.json.encode(played), given_at=None) and kind.whole:
            spent.filter(status="running").update(played=played.done)
    else:
        _store_figures(part, played)
        finish_if_complete(part.simulation_id)


def _paused(part: SimulationPart, kind: RequestKind) -> Any:
    """The place where the part was stopped; None if another release wrote that in another form."""
    try:
        return msgspec.json.decode(bytes(part.paused), type=kind.paused) if part.paused else None
    except msgspec.ValidationError:
        return None


def _claim_part() -> SimulationPart | None:
    """Claims a part that waits, or a new one, of the account whose turn it is."""
    for _ in range(TRIES):  # of two workers at once one may come too late for its choice
        with transaction.atomic():
            simulation = _in_turn().select_for_update(of=("self",)).first()
            if simulation is not None:
                return _part_of(simulation)
        if not _with_work().exists():
            return None
    return None


def _part_of(simulation: Simulation) -> SimulationPart:
    """The part to play next. Call it with the simulation locked."""
    now, size = timezone.now(), 0
    part = _waiting(SimulationPart.objects.filter(simulation=simulation)).first()
    if part is None:
        size = min(_size_of_parts(simulation), simulation.games - simulation.claimed)
        part = SimulationPart(simulation=simulation, first=simulation.claimed, games=size)
    part.given_at, part.simulation = now, simulation
    part.save()
    Simulation.objects.filter(id=simulation.id).update(claimed=F("claimed") + size, served_at=now)
    return part


def _size_of_parts(simulation: Simulation) -> int:
    if kind_of(simulation).whole:
        return simulation.games
    return max(1, min(most_in_a_part(request_of(simulation)), simulation.games // FEWEST_PARTS))


def _playable() -> QuerySet[Simulation]:
    """Running simulations whose game is installed; the others wait for it. None while all rest."""
    if not settings.CLUB["simulations"]:
        return Simulation.objects.none()
    return Simulation.objects.filter(of_installed_games(), status="running")


def _with_work() -> QuerySet[Simulation]:
    waiting = _waiting(SimulationPart.objects.filter(simulation=OuterRef("pk")))
    unclaimed = Q(claimed__lt=F("games"))
    resting = Trouble.objects.filter(duty=NAME, next_at__gt=timezone.now())
    return (
        _playable()
        .filter(unclaimed | Exists(waiting))
        .exclude(id__in=[UUID(row) for row in resting.values_list("row", flat=True) if row])
    )


def _in_turn() -> QuerySet[Simulation]:
    """Running simulations with work to do, in the order of turns; those of nobody come last."""
    lately = Q(status="running") | Q(finished_at__gt=timezone.now() - LATELY)
    same = Simulation.objects.filter(lately, requester=OuterRef("requester")).order_by()
    account = same.values("requester")
    spent = Subquery(account.annotate(sum=Sum("seconds")).values("sum"))
    served = Subquery(account.annotate(last=Max("served_at")).values("last"))
    return (
        _with_work()
        .annotate(
            account_spent=Least(Coalesce(spent, 0.0), float(SECONDS_COUNTED)),
            account_served_at=served,
        )
        .order_by(
            IsNull(F("requester"), True),
            "account_spent",
            F("account_served_at").asc(nulls_first=True),
            F("served_at").asc(nulls_first=True),
            "id",
        )
    )


def _waiting(parts: QuerySet[SimulationPart]) -> QuerySet[SimulationPart]:
    """Parts that paused, and those that were given out and never came back."""
    lost = Q(given_at__lt=timezone.now() - LOST_AFTER)
    return parts.filter(Q(given_at=None) | lost, figures=None).order_by("first")


def _store_figures(part: SimulationPart, figures: Figures | Diagnosis) -> None:
    """Only the first figures of a part count, and none once the simulation was cancelled."""
    with transaction.atomic():
        unplayed = SimulationPart.objects.filter(id=part.id, figures=None)
        if unplayed.update(figures=msgspec.json.encode(figures), paused=None):
            running = Simulation.objects.filter(id=part.simulation_id)
            whole = part.games == part.simulation.games  # then it has told how far it was
            running.update(played=part.games if whole else F("played") + part.games)


def _finish_complete() -> None:
    """Finishes simulations whose last worker ended before it wrote the report."""
    complete = _playable().filter(played__gte=F("games"))
    ids = list(complete.values_list("id", flat=True))
    rows.each(NAME, ids, finish_if_complete)
    draw_missing_pictures()


def _fail(simulation: Simulation, fault: str) -> None:
    log.error("simulation_failed", simulation=str(simulation.id), fault=fault)
    Simulation.objects.filter(id=simulation.id, status="running").update(
        status="failed", fault=fault, finished_at=timezone.now()
    )


SIMULATIONS = Duty(
    name=NAME,
    kind="long",
    piece=run_parts_for_a_while,
    due="""
SELECT NULL::timestamptz, s.id::text FROM games_simulation s
WHERE s.status = 'running' AND s.game = ANY(%(games)s) AND (s.claimed < s.games
    OR s.played >= s.games
    OR EXISTS (SELECT FROM games_simulationpart p WHERE p.simulation_id = s.id
        AND p.figures IS NULL
        AND (p.given_at IS NULL OR p.given_at < %(now)s - interval '60 seconds')))""",
    width=WORKERS,
)
PICTURES = Duty(name="pictures", kind="long", piece=draw_missing_pictures, every=600)

# When a worker for simulations starts, kernels are compiled beside it if they are not yet.
#
# In a process of its own: the worker takes tasks meanwhile, and the rules play them. Every
# process of the worker looks on the disk before it uses a kernel, so it never compiles one
# itself. A file in the state folder says what was compiled, so that a later start imports no
# compiler to find that out.

LIBRARY: Final = Path(compiled_code.__file__).resolve().parents[1]


@worker_ready.connect
def compile_kernels(sender: Any = None, **_: Any) -> None:
    if not str(getattr(sender, "hostname", "")).startswith(f"{BATCH}@"):
        return
    if not compiled_code.installed():
        log.info("kernels_not_installed", simulations="played by the rules")
        return
    note, sources = settings.STATE / "kernels-compiled", _sources()
    if not note.exists() or note.read_text() != sources:
        command = [sys.executable, "-m", "cardroom.fast.kernel", str(note), sources]
        subprocess.Popen(command, stdout=subprocess.DEVNULL)


def _sources() -> str:
    """Changes with the files that compiled code is made from."""
    times = "".join(f"{path} {path.stat().st_mtime_ns}" for path in sorted(files()))
    return hashlib.sha256(f"{sys.version} {times}".encode()).hexdigest()


def files() -> Iterator[Path]:
    for name, kind in product(("fast", "rules"), ("*.py", "*.table")):
        yield from (LIBRARY / name).rglob(kind)
