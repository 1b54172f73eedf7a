"""The list of tournaments, one of them, the form for a new one, and what one does there."""

from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.signing_in.signed_in import signed_in
from config.refusals import Refusal
from config.words import sentence_of
from games.competitions import selectors
from games.competitions.files import calendar
from games.competitions.files.table import rounds_shown
from games.competitions.models import Entrant, Tournament
from games.competitions.running import creating, taking_part
from games.web.parts.visitor import current_or_guest_user, once, user_id
from games.web.tournaments import lines
from games.web.tournaments.forms import TournamentForm
from games.web.tournaments.lines import Summary

SHOWN: Final = 30
LISTED: Final = (
    Tournament.Status.RUNNING,
    Tournament.Status.ANNOUNCED,
    Tournament.Status.FINISHED,
)


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    listed = selectors.listed_for(user_id(request))
    groups = []
    for status in LISTED:
        rows = list(listed.filter(status=status)[:SHOWN])
        counts = selectors.counts_of(rows)
        groups.append((status, [Summary(row, counts.get(row.id, 0)) for row in rows]))
    return render(request, "games/tournaments/index.html", {"groups": groups})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A guest is asked to sign up; the form keeps what was typed."""
    if request.method != "POST":
        return _form(request, TournamentForm())
    form = TournamentForm(request.POST)
    if not form.is_valid():
        return _form(request, form, status=422)
    try:
        made = once(request, lambda user: creating.create(creator=user, terms=form.terms()).id)
    except Refusal as refused:
        form.add_error(None, sentence_of(refused))
        return _form(request, form, status=422)
    return redirect("tournament", made)


def _form(request: HttpRequest, form: TournamentForm, *, status: int = 200) -> HttpResponse:
    user = request.user
    may = isinstance(user, User) and not user.is_guest
    context = {"form": form, "may": may}
    return render(request, "games/tournaments/new.html", context, status=status)


@never_cache
@require_safe
def tournament(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    row = selectors.find(tournament_id, user_id(request))
    return render(request, "games/tournaments/tournament.html", _context(request, row))


def _context(request: HttpRequest, row: Tournament) -> dict[str, Any]:
    reader, sheet = user_id(request), selectors.sheet_of(row)
    wanted = request.GET.get("round", "")
    boards = lines.shown_boards(sheet, int(wanted) if wanted.isdecimal() else None)
    selectors.add_matches([board for board in boards if board.result])
    own = selectors.entrant_of(row, reader)
    return {
        "tournament": row,
        "summary": Summary(row, len(sheet.joined)),
        "game": row.rules,
        "standings": lines.standing_rows(sheet, reader),
        "ties": lines.tie_names(row),
        "rounds": rounds_shown(sheet),
        "round": boards[0].round if boards and not row.is_arena else None,
        "boards": list(lines.board_rows(sheet, boards, reader)),
        "joined": lines.joined_names(sheet, reader),
        "own": own,
        "takes_part": own is not None and own.state == Entrant.State.JOINED,
        "may_join": taking_part.may_still_join(row),
        "current": selectors.current_match(row, reader) if reader and own else None,
        "is_organiser": _is_organiser(request, row),
        "invited": [one for one in sheet.entrants if one.state == Entrant.State.INVITED],
        "ends_at": selectors.ends_at(row),
        "address": request.build_absolute_uri(reverse("tournament", args=[row.id])),
    }


def _is_organiser(request: HttpRequest, row: Tournament) -> bool:
    user = request.user
    return isinstance(user, User) and (row.creator_id == user.pk or user.has_perm(selectors.RIGHT))


@require_POST
def join(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    """A visitor becomes a guest."""
    selectors.find(tournament_id, user_id(request))
    taking_part.join(tournament_id=tournament_id, user=current_or_guest_user(request))
    return redirect("tournament", tournament_id)


@require_POST
def withdraw(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    row = taking_part.withdraw(tournament_id=tournament_id, user=signed_in(request))
    if selectors.visible_to(user_id(request)).filter(id=row.id).exists():
        return redirect("tournament", tournament_id)
    return redirect("tournaments")


@require_POST
def invite(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    name = request.POST.get("username", "").strip()
    taking_part.invite(tournament_id=tournament_id, user=signed_in(request), username=name)
    messages.success(request, _("{name} can see and join it now.").format(name=name))
    return redirect("tournament", tournament_id)


@require_POST
def call_off(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    taking_part.call_off(tournament_id=tournament_id, user=signed_in(request))
    return redirect("tournament", tournament_id)


@require_safe
def calendar_entry(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    row = selectors.find(tournament_id, user_id(request))
    address = request.build_absolute_uri(reverse("tournament", args=[row.id]))
    return HttpResponse(
        calendar.calendar_of(row, address),
        content_type=calendar.CONTENT_TYPE,
        headers={"Content-Disposition": 'attachment; filename="tournament.ics"'},
    )
