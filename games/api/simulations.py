"""Simulations over the API: start, follow and cancel them; their figures and plots."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from cardroom.arena.reports.report import Report
from cardroom.arena.request import SimulationRequest
from config.api.answers import created
from config.api.json import body_of
from config.api.pagination import page
from config.api.schema import PAGE_PARAMETERS, refusals
from config.refusals import NotFound
from games.api.schemas.fields import Body, Nothing
from games.simulations import requests, selectors
from games.simulations.models import Simulation
from games.simulations.refusals import BadSimulation, TooManySimulations


class NewSimulation(Body, frozen=True):
    """``bots``: one a seat; the last one named takes the seats that are left."""

    game: str
    games: Annotated[int, msgspec.Meta(ge=1, le=requests.MOST_GAMES)] = 1000
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


class Simulations(APIView):
    @extend_schema(
        operation_id="simulations",
        summary="List your simulations",
        tags=["simulations"],
        parameters=PAGE_PARAMETERS,
        responses={200: SimulationList},
    )
    def get(self, request: Request) -> Response:
        """Your simulations, newest first, without their reports."""
        mine = selectors.of(signed_in(request).pk).defer("report")
        rows, following = page(mine, request)
        return Response(SimulationList([simulation_json(row, None) for row in rows], following))

    @extend_schema(
        operation_id="create_simulation",
        summary="Start a simulation",
        tags=["simulations"],
        request=NewSimulation,
        responses={201: SimulationJson, **refusals(BadSimulation, TooManySimulations)},
    )
    def post(self, request: Request) -> Response:
        """Plays many matches in the background with the rules of the tables."""
        body = body_of(request, NewSimulation)
        fields = {name: getattr(body, name) for name in body.__struct_fields__}
        simulation = requests.start(owner=signed_in(request), **fields)
        simulation.refresh_from_db()
        return created(simulation_json(simulation, None), f"simulations/{simulation.id}")


class SimulationDetail(APIView):
    @extend_schema(
        operation_id="simulation",
        summary="Read a simulation",
        tags=["simulations"],
        responses={200: SimulationJson, **refusals(NotFound)},
    )
    def get(self, request: Request, simulation_id: UUID) -> Response:
        """Progress, and the report when it is finished."""
        simulation = own(request, simulation_id)
        return Response(simulation_json(simulation, selectors.report_of(simulation)))


class SimulationCancel(APIView):
    @extend_schema(
        operation_id="cancel_simulation",
        summary="Cancel a simulation",
        tags=["simulations"],
        request=Nothing,
        responses={200: SimulationJson, **refusals(NotFound)},
    )
    def post(self, request: Request, simulation_id: UUID) -> Response:
        """Stops it; one that is over stays as it is."""
        body_of(request, Nothing)
        simulation = requests.cancel(simulation_id=simulation_id, owner=signed_in(request))
        return Response(simulation_json(simulation, selectors.report_of(simulation)))


class SimulationPlot(APIView):
    @extend_schema(
        operation_id="simulation_plot",
        summary="Get a plot of a simulation",
        tags=["simulations"],
        responses={
            (200, "image/png"): OpenApiResponse(OpenApiTypes.BINARY),
            **refusals(NotFound),
        },
    )
    def get(self, request: Request, simulation_id: UUID, name: str) -> HttpResponse:
        """A plot of a finished simulation."""
        png = selectors.picture(own(request, simulation_id), name)
        if png is None:
            raise Http404
        headers = {"Cache-Control": "private, max-age=86400"}
        return HttpResponse(png, content_type="image/png", headers=headers)


def own(request: Request, simulation_id: UUID) -> Simulation:
    simulation = selectors.of(signed_in(request).pk).filter(id=simulation_id).first()
    if simulation is None:
        raise Http404
    return simulation


def simulation_json(simulation: Simulation, report: Report | None) -> SimulationJson:
    here = f"/api/v1/simulations/{simulation.id}"
    names = [] if report is None else selectors.pictures_of(simulation)
    plots = {name.removesuffix(".png"): f"{here}/plots/{name}" for name in names}
    return SimulationJson(
        id=simulation.id,
        game=simulation.game,
        games=simulation.games,
        played=simulation.played,
        status=simulation.status,
        fault=simulation.fault or None,
        request=msgspec.json.decode(bytes(simulation.request)),
        report=report,
        created_at=simulation.created_at,
        finished_at=simulation.finished_at,
        links={"self": here, "page": f"/simulations/{simulation.id}", **plots},
    )
