"""The lists of matches, seats, rounds and plies. They are read-only: only services write matches.

Secrets of a match (state, seed, decks, events with cards) are shown when it is over.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, ClassVar, cast

from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from unfold.paginator import InfinitePaginator

from accounts.models import User
from accounts.staff_pages import ReadOnly, StaffPages
from cardroom.rules import catalog
from cardroom.rules.outside import written
from config.refusals import Refusal
from games.absent import of_installed_games
from games.admin.match_page import MatchPage
from games.admin.refereeing import (
    MatchActs,
    OfAMatch,
    allowed_acts,
    hidden_until_over,
    may_be_shown,
    run_page,
)
from games.guests import name_for
from games.matches.models import Match, Ply, Round, Seat
from games.operations import acts as bulk
from games.operations import finding
from games.operations.acts import Act
from games.operations.finding import span

# Filters of the list of matches. None of them counts or scans more rows than it needs.

AGES = {"1h": timedelta(hours=1), "1d": timedelta(days=1), "7d": timedelta(days=7)}
AGES |= {"30d": timedelta(days=30)}
AGE_NAMES = {"1h": "The last hour", "1d": "24 hours", "7d": "7 days", "30d": "30 days"}


class ProblemFilter(SimpleListFilter):
    title = "problem"
    parameter_name = "problem"

    def lookups(self, *_: Any) -> list[tuple[str, str]]:
        return list(finding.PROBLEMS.items())

    def queryset(self, _: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        return finding.with_problem(matches, self.value() or "")


class GameFilter(SimpleListFilter):
    title = "game"
    parameter_name = "game"

    def lookups(self, request: HttpRequest, _: Any) -> list[tuple[str, str]]:
        """The games that are installed, and the one that was asked for by its address."""
        missing = [slug for slug in request.GET.getlist("game") if slug not in catalog.slugs()]
        absent = [(slug, f"{slug} (not installed)") for slug in missing]
        return [(game.slug, game.name) for game in catalog.GAMES] + absent

    def queryset(self, _: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        return matches.filter(game=self.value()) if self.value() else matches


class AgeFilter(SimpleListFilter):
    title = "created"
    parameter_name = "created"

    def lookups(self, *_: Any) -> list[tuple[str, str]]:
        return list(AGE_NAMES.items())

    def queryset(self, _: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        age = AGES.get(self.value() or "")
        return matches if age is None else finding.since(matches, timezone.now() - age)


class LoadedFilter(SimpleListFilter):
    title = "loaded"
    parameter_name = "from_save"

    def lookups(self, *_: Any) -> list[tuple[str, str]]:
        return [("yes", "From a save")]

    def queryset(self, _: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        return matches.filter(parent__isnull=False) if self.value() == "yes" else matches


# Which games there are: where each came from, in which version, and which packages are refused.


class GamesPage:
    """Beside the list of matches."""

    admin_site: Any

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.games_page)
        return [path("games", page, name="games_match_games"), *super().get_urls()]  # type: ignore[misc]

    def games_page(self, request: HttpRequest) -> HttpResponse:
        if not request.user.has_perm("games.view_match"):
            raise PermissionDenied
        context = self.admin_site.each_context(request) | {
            "title": "Games",
            "contract": written(),
            "games": [(game, catalog.installed(game.slug)) for game in catalog.GAMES],
            "refused": catalog.REFUSED,
            "absent": _absent(),
        }
        return TemplateResponse(request, "admin/operators/games.html", context)


def _absent() -> list[tuple[str, int]]:
    """Games of matches that are open or run, and are not installed: how many each."""
    running = Match.objects.filter(status__in=[Match.Status.OPEN, Match.Status.ACTIVE])
    waiting = running.exclude(of_installed_games()).order_by("game")
    return list(waiting.values("game").annotate(n=Count("id")).values_list("game", "n"))


# A label of the theme is a template of its own; fifty of them take longer than the list.
TAG = '<span class="op"><span class="op-tag {}">{}</span></span>'
_TONES = {"active": "good", "aborted": "warn"}


@admin.register(Match)
class MatchAdmin(
    GamesPage,
    MatchPage,
    MatchActs,
    ReadOnly,
    StaffPages,
):
    list_display = (
        "shown_match",
        "players",
        "shown_status",
        "waiting_for",
        "pace",
        "deadline",
        "last_move",
        "open_problems",
    )
    list_filter = (
        ProblemFilter,
        GameFilter,
        "status",
        LoadedFilter,
        AgeFilter,
        "visibility",
        "rated",
    )
    search_fields = ("id",)
    search_help_text = "The beginning of a player's name, or a part of a match's id"
    ordering = ("-id",)
    paginator = InfinitePaginator
    list_per_page = 25
    show_full_result_count = False

    class Media:
        css: ClassVar = {"all": ("games/css/operators.css",)}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        rows: QuerySet[Match] = super().get_queryset(request)
        return rows.defer("state", "loaded", "seed", "options").prefetch_related("seats")

    def get_search_results(
        self, _: HttpRequest, rows: QuerySet[Match], term: str
    ) -> tuple[QuerySet[Match], bool]:
        return (finding.search(rows, term) if term.strip() else rows), False

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """An action for each act that can be done to many matches."""
        acts = [act for act in allowed_acts(request) if act.bulk]
        return {act.slug: (_draft(act), act.slug, act.title) for act in acts}

    @admin.display(description="Match", ordering="id")
    def shown_match(self, match: Match) -> str:
        return format_html(
            '{}<br><span class="op"><span class="mono muted">{}</span></span>',
            match.rules.name,
            match.pk,
        )

    @admin.display(description="Players")
    def players(self, match: Match) -> str:
        seats = list(match.seats.all())
        return ", ".join(name_for(seat, seat.name or "open", seats, None) for seat in seats)

    @admin.display(description="Status", ordering="status")
    def shown_status(self, match: Match) -> str:
        return format_html(TAG, _TONES.get(match.status, ""), match.status)

    @admin.display(description="To act")
    def waiting_for(self, match: Match) -> str:
        names = [seat.name for seat in match.seats.all() if seat.index in match.to_act]
        if not names:
            return "–"
        bot = " (computer)" if match.bot_due_at else ""
        return f"{', '.join(names)}{bot}, {span(timezone.now() - match.updated_at)}"

    @admin.display(description="Pace")
    def pace(self, match: Match) -> str:
        if not match.started_at or not match.version:
            return "–"
        return f"{span((match.updated_at - match.started_at) / match.version)} a ply"

    @admin.display(description="Deadline")
    def deadline(self, match: Match) -> str:
        if match.deadline_at is None:
            return "–"
        left = match.deadline_at - timezone.now()
        return f"{span(-left)} ago" if left < timedelta() else f"in {span(left)}"

    @admin.display(description="Last move")
    def last_move(self, match: Match) -> str:
        return f"{span(timezone.now() - match.updated_at)} ago"

    @admin.display(description="Problems")
    def open_problems(self, match: Match) -> str:
        problems = finding.open_problems(match, timezone.now())
        return format_html_join(" ", TAG, (("bad", problem) for problem in problems)) or "–"


def _draft(act: Act) -> Callable[[Any, HttpRequest, QuerySet[Match]], HttpResponse]:
    """Changes no match yet: the page of the draft shows what will happen and asks for a reason."""

    def draft(_: Any, request: HttpRequest, chosen: QuerySet[Match]) -> HttpResponse:
        ids = list(chosen.values_list("pk", flat=True)[: bulk.MOST_MATCHES + 1])
        try:
            run = bulk.draft(act=act.slug, match_ids=ids, user=cast("User", request.user))
        except Refusal as refused:
            messages.error(request, str(refused))
            return redirect("admin:games_match_changelist")
        return redirect(run_page(run.id))

    return draft


@admin.register(Seat)
class SeatAdmin(OfAMatch, ReadOnly, StaffPages):
    list_display = ("match", "index", "kind", "name", "user", "bot", "points", "place")
    list_filter = ("kind",)
    ordering = ("-match_id", "index")
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

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user", "invited")

    @admin.display(description="Side deck")
    def brought(self, seat: Seat) -> str:
        return hidden_until_over(seat.match, " ".join(seat.side_deck or ()))


@admin.register(Round)
class RoundAdmin(OfAMatch, ReadOnly, StaffPages):
    list_display = ("match", "number", "opening_version", "scores", "opened_at", "undone_at")
    ordering = ("-match_id", "-number")
    fields = (
        "match",
        "number",
        "opening_version",
        "scores",
        "opened_at",
        "closed_at",
        "undone_at",
        "shuffled",
        "opening",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        return super().get_queryset(request).defer("opening_state", "decks")

    @admin.display(description="Decks")
    def shuffled(self, round_: Round) -> str:
        return hidden_until_over(round_.match, bytes(round_.decks).decode())

    @admin.display(description="Opening")
    def opening(self, round_: Round) -> str:
        return hidden_until_over(round_.match, bytes(round_.opening_state).decode())


@admin.register(Ply)
class PlyAdmin(OfAMatch, ReadOnly, StaffPages):
    list_display = ("match", "version", "seat", "public_move", "at")
    ordering = ("-match_id", "-version")
    fields = ("match", "version", "seat", "whole_move", "key", "at", "happened")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ply]:
        return super().get_queryset(request).defer("events", "decks")

    @admin.display(description="Move")
    def public_move(self, ply: Ply) -> str:
        return ply.match.rules.public_move(ply.move)

    @admin.display(description="Move")
    def whole_move(self, ply: Ply) -> str:
        return ply.move if may_be_shown(ply.match) else self.public_move(ply)

    @admin.display(description="Events")
    def happened(self, ply: Ply) -> str:
        return hidden_until_over(ply.match, bytes(ply.events).decode())
