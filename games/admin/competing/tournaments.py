"""Tournaments: how far each is, what is owed to it, and what operators do with one."""

from collections.abc import Callable
from typing import Any, Final, cast
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.models import User
from accounts.staff_pages import LongLists
from config.pages.admin_pages import OwnPage, ReadOnly
from config.refusals import Refusal
from games.competitions import selectors
from games.competitions.models import Tournament
from games.competitions.names import plain_name
from games.competitions.running import operating

SHOWN: Final = 20


@admin.register(Tournament)
class TournamentAdmin(OwnPage, ReadOnly, LongLists):
    """It tells no cards: boards link to the pages of matches, which have rights of their own."""

    list_display = ("name", "form", "game", "pace", "status", "round", "starts_at", "creator")
    list_filter = ("status", "form", "game", "visibility")
    list_select_related = ("creator",)
    search_fields = ("name__icontains", "creator__username__istartswith")
    search_help_text = "A part of the name, or the beginning of its creator's username"
    ordering = ("-id",)

    def get_urls(self) -> list[Any]:
        act = self.admin_site.admin_view(self.act_page)
        own = path("<uuid:tournament_id>/<slug:what>/do", act, name="competitions_tournament_act")
        return [own, *super().get_urls()]

    def own_page(self, request: HttpRequest, tournament: Tournament) -> HttpResponse:
        context = self.admin_site.each_context(request) | _context(request, tournament)
        return TemplateResponse(request, "admin/operators/tournament.html", context)

    def act_page(self, request: HttpRequest, tournament_id: UUID, what: str) -> HttpResponse:
        if what not in _ACTS or not Tournament.objects.filter(id=tournament_id).exists():
            raise Http404
        if not request.user.has_perm(selectors.RIGHT):
            raise PermissionDenied
        if request.method == "POST":
            _act(request, tournament_id, what)
        return redirect("admin:competitions_tournament_change", tournament_id)


def _act(request: HttpRequest, tournament_id: UUID, what: str) -> None:
    try:
        by = Actor.of(cast("User", request.user), request.POST.get("reason", ""))
        messages.success(request, _ACTS[what](request, tournament_id, by))
    except Refusal as refused:
        messages.error(request, str(refused))


def _remove(request: HttpRequest, tournament_id: UUID, by: Actor) -> str:
    entrant = request.POST.get("entrant", "")
    number = int(entrant) if entrant.isdecimal() and len(entrant) < 18 else 0
    return operating.remove(tournament_id=tournament_id, entrant_id=number, by=by)


_ACTS: Final[dict[str, Callable[[HttpRequest, UUID, Actor], str]]] = {
    "begin": lambda _, one, by: operating.begin_now(tournament_id=one, by=by),
    "pause": lambda _, one, by: operating.pause(tournament_id=one, by=by),
    "resume": lambda _, one, by: operating.resume(tournament_id=one, by=by),
    "abort": lambda _, one, by: operating.abort(tournament_id=one, by=by),
    "pay": lambda _, one, by: operating.pay_now(tournament_id=one, by=by),
    "remove": _remove,
}


def _context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    sheet = selectors.sheet_of(tournament)
    points = {line.entrant: line for line in sheet.lines}
    subject = str(tournament.id)
    return {
        "title": tournament.name,
        "tournament": tournament,
        "entrants": [
            (one, plain_name(tournament, one), points.get(one.number or 0))
            for one in sheet.entrants
        ],
        "undecided": [_board(sheet, board) for board in sheet.undecided],
        "stages": sheet.stages,
        "acts": _offered(tournament) if request.user.has_perm(selectors.RIGHT) else [],
        "entries": Entry.objects.filter(subject_type="tournament", subject_id=subject)[:SHOWN],
        "page": reverse("tournament", args=[tournament.id]),
    }


def _board(sheet: selectors.Sheet, board: Any) -> tuple[Any, str, list[Any]]:
    entrants = [sheet.by_id[place.entrant_id] for place in board.places.all()]
    names = " – ".join(plain_name(sheet.tournament, one) for one in entrants)
    return board, names, [one.match for one in board.matches.all()]


def _offered(tournament: Tournament) -> list[tuple[str, str]]:
    if tournament.is_over:
        return []
    pausing = ("resume", "Go on") if tournament.paused_at else ("pause", "Pause")
    begin = [("begin", "Begin now")] if tournament.begun_at is None else []
    return [*begin, pausing, ("pay", "Pay what is owed"), ("abort", "Call it off")]
