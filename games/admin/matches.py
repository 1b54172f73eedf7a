"""Matches for operators, to find and to read; only services write them.

Secrets of a match (state, seed, decks, events with cards) are shown when it is over.
"""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from unfold.admin import ModelAdmin, TabularInline
from unfold.paginator import InfinitePaginator

from games.admin.read_only import (
    UNTIL_OVER,
    NoSecretLookups,
    ReadOnly,
    SearchById,
    hidden_until_over,
    is_told,
    without_secrets,
)
from games.matches.models import Match, Ply, Round, Seat
from games.matches.services import joining


class SeatInline(ReadOnly, TabularInline):  # type: ignore[misc]
    model = Seat
    fields = ("index", "kind", "user", "invited", "bot", "name", "points", "place", "resigned_at")
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        found: QuerySet[Seat] = super().get_queryset(request)
        return found.select_related("user", "invited").defer("side_deck")


class RoundInline(ReadOnly, TabularInline):  # type: ignore[misc]
    model = Round
    fields = ("number", "opening_version", "scores", "opened_at", "closed_at")
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        found: QuerySet[Round] = super().get_queryset(request)
        return found.defer("opening_state", "decks")


@admin.register(Match)
class MatchAdmin(SearchById, NoSecretLookups, ReadOnly, ModelAdmin):  # type: ignore[misc]
    named_by = "id"
    list_display = ("id", "game", "status", "players", "version", "round", "updated_at")
    list_filter = (
        "game",
        "status",
        "visibility",
        "rated",
        ("created_at", admin.DateFieldListFilter),
    )
    search_fields = ("id", "seats__name", "seats__user__username", "commitment")
    search_help_text = "A match's id, a player's name or username, a commitment"
    list_per_page = 50
    show_full_result_count = False
    inlines = (SeatInline, RoundInline)
    actions = ("abort_matches",)
    fields = (
        "id",
        "game",
        "rules_version",
        "rules_options",
        "status",
        "visibility",
        "rated",
        "creator",
        "version",
        "round",
        "to_act",
        "ending",
        "commitment",
        "seed_in_hex",
        "turn_seconds",
        "deadline_at",
        "bot_due_at",
        "parent",
        "parent_version",
        "created_at",
        "started_at",
        "updated_at",
        "finished_at",
        "links",
    )
    readonly_fields = ("rules_options", "ending", "seed_in_hex", "links")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        found: QuerySet[Match] = super().get_queryset(request)
        return found.defer("state", "loaded").select_related("creator").prefetch_related("seats")

    def has_abort_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.abort_match")

    @admin.action(description="Abort the chosen matches", permissions=["abort"])
    def abort_matches(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        """Nobody wins them; matches that are over stay as they are."""
        ids = chosen.values_list("pk", flat=True)
        stopped = sum(joining.stop_as_operator(match_id=match_id) for match_id in ids)
        self.message_user(request, f"Aborted: {stopped}.")

    @admin.display(description="Players")
    def players(self, match: Match) -> str:
        return ", ".join(seat.name or "open" for seat in match.seats.all())

    @admin.display(description="Options")
    def rules_options(self, match: Match) -> str:
        return bytes(match.options).decode()

    @admin.display(description="Outcome")
    def ending(self, match: Match) -> str:
        return bytes(match.outcome).decode() if match.outcome else ""

    @admin.display(description="Seed")
    def seed_in_hex(self, match: Match) -> str:
        return bytes(match.seed).hex() if is_told(match) else UNTIL_OVER

    @admin.display(description="Look")
    def links(self, match: Match) -> str:
        return format_html(
            '<a href="{}">table</a> · <a href="{}?match__id__exact={}">plies</a>',
            reverse("table", args=[match.pk]),
            reverse("admin:games_ply_changelist"),
            match.pk,
        )


@admin.register(Seat)
class SeatAdmin(SearchById, NoSecretLookups, ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ("match", "index", "kind", "name", "user", "bot", "points", "place")
    list_filter = ("kind", "match__game", "match__status", "bot")
    search_fields = ("match__id", "name", "user__username")
    search_help_text = "A match's id, a player's name or username"
    ordering = ("-match_id", "index")
    show_full_result_count = False
    fields = (
        "match",
        "index",
        "kind",
        "user",
        "invited",
        "bot",
        "name",
        "brought",
        "points",
        "place",
        "resigned_at",
        "timed_out",
    )
    readonly_fields = ("brought",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return without_secrets(super().get_queryset(request)).select_related("user", "invited")

    @admin.display(description="Side deck")
    def brought(self, seat: Seat) -> str:
        return hidden_until_over(seat.match, " ".join(seat.side_deck or ()))


@admin.register(Round)
class RoundAdmin(SearchById, NoSecretLookups, ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ("match", "number", "opening_version", "scores", "opened_at", "closed_at")
    list_filter = ("match__game", "match__status")
    search_fields = ("=match__id",)
    search_help_text = "A match's whole id"
    ordering = ("-match_id", "-number")
    show_full_result_count = False
    fields = (
        "match",
        "number",
        "opening_version",
        "scores",
        "opened_at",
        "closed_at",
        "shuffled",
        "opening",
    )
    readonly_fields = ("shuffled", "opening")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        return without_secrets(super().get_queryset(request)).defer("opening_state", "decks")

    @admin.display(description="Decks")
    def shuffled(self, round_: Round) -> str:
        return hidden_until_over(round_.match, bytes(round_.decks).decode())

    @admin.display(description="Opening")
    def opening(self, round_: Round) -> str:
        return hidden_until_over(round_.match, bytes(round_.opening_state).decode())


@admin.register(Ply)
class PlyAdmin(SearchById, NoSecretLookups, ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ("match", "version", "seat", "public_move", "at")
    list_filter = ("match__game", "match__status")
    search_fields = ("=match__id",)
    search_help_text = "A match's whole id"
    ordering = ("-match_id", "-version")
    paginator = InfinitePaginator  # does not count the rows of the largest table
    show_full_result_count = False
    fields = ("match", "version", "seat", "whole_move", "key", "at", "happened")
    readonly_fields = ("whole_move", "happened")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ply]:
        return without_secrets(super().get_queryset(request)).defer("events", "decks")

    @admin.display(description="Move")
    def public_move(self, ply: Ply) -> str:
        return ply.match.rules.public_move(ply.move)

    @admin.display(description="Move")
    def whole_move(self, ply: Ply) -> str:
        return ply.move if is_told(ply.match) else self.public_move(ply)

    @admin.display(description="Events")
    def happened(self, ply: Ply) -> str:
        return hidden_until_over(ply.match, bytes(ply.events).decode())
