"""Simulations over the API: start, follow and cancel them; their figures and plots."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from msgspec.structs import asdict

from accounts.models import User
from cardroom.arena.reports import Report
from cardroom.arena.request import SimulationRequest
from config.api.json import Pages
from config.api.operations import Api, Nothing, answer
from games.api.bodies import Body
from games.simulations import work
from games.simulations.models import Simulation

api = Api("simulations")


class NewSimulation(Body, frozen=True):
    """``bots``: one a seat; the last one named takes the seats that are left."""

    game: str
    games: Annotated[int, msgspec.Meta(ge=1, le=work.MOST_GAMES)] = 1000
    options: dict[str, Any] | None = None
    preset: str | None = None
    bots: Annotated[tuple[str, ...], msgspec.Meta(max_length=32)] = ()
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0
    swap: bool = False


class SimulationJson(msgspec.Struct, frozen=True):
    """``report`` is null until ``status`` is ``finished``; then ``links`` names the plots."""

    id: UUID
    game: str
    games: int
    played: int
    status: str
    fault: str | None
    request: SimulationRequest
    report: Report | None
    created_at: datetime
    finished_at: datetime | None
    links: dict[str, str]


class SimulationList(msgspec.Struct, frozen=True):
    results: list[SimulationJson]
    next: str | None


@api.get("simulations")
def simulations(user: User, page: Pages) -> SimulationList:
    """List your simulations

    Your simulations, newest first, without their reports.
    """
    rows, following = page(work.simulations_of(user.pk).defer("report"))
    return SimulationList([simulation_json(row, None) for row in rows], following)


@api.post(
    "simulations",
    creates="simulations/{0.id}",
    refuses=[work.BadSimulation, work.TooManySimulations],
)
def create_simulation(user: User, body: NewSimulation) -> SimulationJson:
    """Start a simulation

    Plays many matches in the background with the rules of the tables.
    """
    started = work.start(owner=user, **asdict(body))
    started.refresh_from_db()
    return simulation_json(started, None)


@api.get("simulations/<uuid:simulation_id>")
def simulation(user: User, simulation_id: UUID) -> SimulationJson:
    """Read a simulation

    Progress, and the report when it is finished.
    """
    row = own(user, simulation_id)
    return simulation_json(row, work.report_of(row))


@api.post("simulations/<uuid:simulation_id>/cancel", body=Nothing)
def cancel_simulation(user: User, simulation_id: UUID) -> SimulationJson:
    """Cancel a simulation

    Stops it; one that is over stays as it is.
    """
    row = work.cancel(simulation_id=simulation_id, owner=user)
    return simulation_json(row, work.report_of(row))


@api.get("simulations/<uuid:simulation_id>/plots/<str:name>")
def simulation_plot(
    user: User, simulation_id: UUID, name: str
) -> Annotated[HttpResponse, {(200, "image/png"): OpenApiResponse(OpenApiTypes.BINARY)}]:
    """Get a plot of a simulation

    A plot of a finished simulation.
    """
    png = work.picture(own(user, simulation_id), name)
    if png is None:
        raise Http404
    headers = {"Cache-Control": "private, max-age=86400"}
    return HttpResponse(png, content_type="image/png", headers=headers)


def own(user: User, simulation_id: UUID) -> Simulation:
    row = work.simulations_of(user.pk).filter(id=simulation_id).first()
    if row is None:
        raise Http404
    return row


def simulation_json(simulation: Simulation, report: Report | None) -> SimulationJson:
    here = f"/api/v1/simulations/{simulation.id}"
    names = [] if report is None else work.pictures_of(simulation)
    plots = {name.removesuffix(".png"): f"{here}/plots/{name}" for name in names}
    return answer(
        SimulationJson,
        simulation,
        fault=simulation.fault or None,
        request=msgspec.json.decode(bytes(simulation.request)),
        report=report,
        links={"self": here, "page": f"/simulations/{simulation.id}", **plots},
    )
