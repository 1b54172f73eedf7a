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
        "asked",
        "fault",
        "created_at",
        "finished_at",
    )
    readonly_fields = ("progress", "asked")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Simulation]:
        found: QuerySet[Simulation] = super().get_queryset(request)
        return found.select_related("owner").defer("report", "request")

    @admin.display(description="Played", ordering="played")
    def progress(self, found: Simulation) -> str:
        return f"{found.played:,} of {found.games:,} ({100 * found.played // found.games} %)"

    @admin.display(description="Asked for")
    def asked(self, found: Simulation) -> str:
        """As it is stored, without the side decks: their owner plays with them."""
        asked = msgspec.json.decode(bytes(found.request))
        if "side_decks" in asked:
            asked["side_decks"] = f"{len(asked['side_decks'])}, not shown"
        return msgspec.json.encode(asked).decode()

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_simulation")

    @admin.action(description="Cancel", permissions=["cancel"])
    def cancel(self, request: HttpRequest, chosen: QuerySet[Simulation]) -> None:
        """Cancels those that still run."""
        running = [found for found in chosen if found.status == Simulation.Status.RUNNING]
        for found in running:
            requests.cancel(simulation_id=found.id, owner=found.owner)
            by = Actor.of(cast("User", request.user), "Cancelled in the admin.")
            log.record(by, "cancel_simulation", "simulation", found.id, str(found))
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
        found: QuerySet[SimulationPart] = super().get_queryset(request)
        beside = found.select_related("simulation").annotate(came=Q(figures__isnull=False))
        return beside.defer("figures", "simulation__report", "simulation__request")

    @admin.display(description="Answered", boolean=True)
    def has_come(self, part: SimulationPart) -> bool:
        came: bool = part.came  # type: ignore[attr-defined]
        return came
