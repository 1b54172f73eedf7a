"""Simulations for operators: their request and progress, and an action that cancels them."""

from typing import cast

import msgspec
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.models import User
from accounts.staff_pages import StaffPages
from config.pages.admin_pages import ReadOnly
from games.admin.secrecy import SearchById
from games.simulations import requests
from games.simulations.models import Simulation, SimulationPart


@admin.register(Simulation)
class SimulationAdmin(SearchById, ReadOnly, StaffPages):
    named_by = "id"
    list_display = ("id", "game", "owner", "progress", "status", "created_at", "finished_at")
    list_filter = ("game", "status", ("created_at", admin.DateFieldListFilter))
    list_select_related = ("owner",)
    list_per_page = 50
    search_fields = ("owner__username", "owner__display_name")
    search_help_text = "A simulation's id, its owner's name"
    show_full_result_count = False
    actions = ("cancel",)
    fields = (
        "id",
        "owner",
        "game",
        "status",
        "progress",
        "claimed",
        "shown_request",
        "fault",
        "created_at",
        "finished_at",
    )
    readonly_fields = ("progress", "shown_request")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Simulation]:
        rows: QuerySet[Simulation] = super().get_queryset(request)
        return rows.select_related("owner").defer("report", "request")

    @admin.display(description="Played", ordering="played")
    def progress(self, simulation: Simulation) -> str:
        played, games = simulation.played, simulation.games
        return f"{played:,} of {games:,} ({100 * played // games} %)"

    @admin.display(description="Request")
    def shown_request(self, simulation: Simulation) -> str:
        """As it is stored, without the side decks: their owner plays with them."""
        request = msgspec.json.decode(bytes(simulation.request))
        if "side_decks" in request:
            request["side_decks"] = f"{len(request['side_decks'])}, not shown"
        return msgspec.json.encode(request).decode()

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_simulation")

    @admin.action(description="Cancel", permissions=["cancel"])
    def cancel(self, request: HttpRequest, chosen: QuerySet[Simulation]) -> None:
        """Cancels those that still run."""
        running = [each for each in chosen if each.status == Simulation.Status.RUNNING]
        for simulation in running:
            requests.cancel(simulation_id=simulation.id, owner=simulation.owner)
            by = Actor.of(cast("User", request.user), "Cancelled in the admin.")
            log.record(by, "cancel_simulation", "simulation", simulation.id, str(simulation))
        self.message_user(request, f"{len(running)} cancelled.")


@admin.register(SimulationPart)
class SimulationPartAdmin(SearchById, ReadOnly, StaffPages):
    """The parts of running simulations; they are deleted when their simulation is over."""

    named_by = "simulation_id"
    list_display = ("simulation", "first", "games", "has_come", "given_at")
    list_filter = ("simulation__game",)
    search_fields = ("=simulation__id",)
    search_help_text = "A simulation's whole id"
    ordering = ("-simulation_id", "first")
    show_full_result_count = False
    fields = ("simulation", "first", "games", "has_come", "given_at")
    readonly_fields = ("has_come",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SimulationPart]:
        rows: QuerySet[SimulationPart] = super().get_queryset(request)
        parts = rows.select_related("simulation").annotate(came=Q(figures__isnull=False))
        return parts.defer("figures", "simulation__report", "simulation__request")

    @admin.display(description="Answered", boolean=True)
    def has_come(self, part: SimulationPart) -> bool:
        came: bool = part.came  # type: ignore[attr-defined]
        return came
