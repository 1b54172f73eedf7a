"""The table: one match as a page, playable by plain forms, quicker with htmx."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from config.refusals import Refusal
from decks import selectors as decks
from games.matches.refusals import StaleVersion
from games.matches.selectors.access import Caller, find_match
from games.matches.services import joining, loading, moves, records
from games.matches.services.rematch import open_rematch
from games.matches.snapshot import MatchSnapshot
from games.rules import record
from games.web import score_sheet
from games.web.headline import standing
from games.web.table_page import Board, board
from games.web.tables import look_of
from games.web.visitor import current_or_guest_user, user_id

Action = Callable[..., MatchSnapshot]


@never_cache
@require_GET
def table(request: HttpRequest, match_id: UUID) -> HttpResponse:
    return render(request, "games/table.html", _context(_board(request, match_id)))


@never_cache
@require_GET
def news(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The board again if it is not the one the page shows already, else 204: nothing new."""
    shown = _board(request, match_id)
    if request.GET.get("shown") == tag(shown):
        return HttpResponse(status=204)
    return _board_page(request, shown)


def _board_page(request: HttpRequest, shown: Board) -> HttpResponse:
    """The board alone, to be put in the place of the one that a page shows."""
    context = _context(shown)
    return render(request, context["look"].template, context)


def tag(shown: Board) -> str:
    """Names what the page shows of a match: who sits there, too, as nobody moves to sit down."""
    changed = int(shown.match.updated_at.timestamp() * 1_000_000)
    kinds = "".join(seat.kind[0] for seat in shown.match.seats)
    shows = shown.match.version, shown.match.status, kinds, shown.seat, int(shown.hidden)
    return "-".join(map(str, [*shows, f"{changed:x}"]))


def _board(request: HttpRequest, match_id: UUID) -> Board:
    user = user_id(request)
    found = find_match(match_id, Caller(user=user))
    if found is None or not found.match.is_visible_to(user):
        raise Http404("There is no such match, or it is not yours to see.")
    return board(found.match, user, there=request.session.get(_there(match_id)))


def _context(shown: Board) -> dict[str, Any]:
    look = look_of(shown.match.game)
    return {
        "board": shown,
        "match": shown.match,
        "game": shown.match.rules,
        "view": shown.view,
        "tag": tag(shown),
        "standing": standing(shown),
        "scores": score_sheet.sheet(shown),
        "look": look,
        "scene": look.scene(shown) if shown.view else None,
        "decks": decks.of(shown.user) if shown.user and shown.match.game == "pazaak" else [],
    }


def _there(match_id: UUID) -> str:
    return f"there:{match_id}"


def action(act: Action) -> Callable[[HttpRequest, UUID], HttpResponse]:
    """A form's target: on to the table it answers with; a refusal is said there instead."""

    @require_POST
    @wraps(act)
    def view(request: HttpRequest, match_id: UUID) -> HttpResponse:
        to = match_id
        try:
            to = act(request, match_id).id
        except StaleVersion:
            messages.info(request, "The table had moved on; here it is as it stands now.")
        except Refusal as refused:
            messages.error(request, str(refused))
        if getattr(request, "htmx", False) and to == match_id:
            return _board_page(request, _board(request, match_id))
        return redirect("table", to)

    return view


@action
def move(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    chosen = " ".join(part for part in request.POST.getlist("move") if part)
    return moves.play(
        match_id=match_id,
        caller=Caller(user=user_id(request)),
        move=chosen,
        version=form_number(request, "version") or 0,
        seat=form_number(request, "seat"),
    ).match


@action
def be_there(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """ "I am here", says the person who was handed the device."""
    shown = _board(request, match_id)
    request.session[_there(match_id)] = shown.seat
    return shown.match


@action
def join(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return joining.join(
        match_id=match_id,
        user=current_or_guest_user(request),
        seat=form_number(request, "seat"),
        deck=request.POST.get("side_deck") or None,
    )


@action
def leave(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return joining.leave(match_id=match_id, user=current_or_guest_user(request))


@action
def resign(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    caller = Caller(user=user_id(request))
    return moves.resign(match_id=match_id, caller=caller, seat=form_number(request, "seat")).match


@action
def rematch(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return open_rematch(match_id=match_id, user=current_or_guest_user(request))


@action
def load(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    cards = "same" if request.POST.get("cards") == "same" else "reshuffled"
    return loading.load(
        match_id=match_id,
        user=current_or_guest_user(request),
        cards=cards,  # type: ignore[arg-type]
        round=form_number(request, "round"),
        version=form_number(request, "version"),
    )


@require_GET
def record_file(request: HttpRequest, match_id: UUID) -> HttpResponse:
    try:
        found = records.of(_board(request, match_id).match)
    except Refusal as refused:
        messages.error(request, str(refused))
        return redirect("table", match_id)
    return HttpResponse(
        record.write(found),
        content_type=record.MEDIA_TYPE,
        headers={"Content-Disposition": f'attachment; filename="{record.file_name(found)}"'},
    )


def form_number(request: HttpRequest, name: str) -> int | None:
    """A number that a form sends; ``None`` for anything else."""
    text = request.POST.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None
