"""The table as an operator looks at it, at any ply: read-only, and logged where it tells more."""

from uuid import UUID

from csp.constants import SELF
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_GET

from accounts.admin_site import lacks_second_factor
from accounts.models import User
from games.matches.selectors.access import Caller, find_match
from games.matches.selectors.history import match_at
from games.matches.snapshot import MatchSnapshot
from games.operations.watching import looking
from games.web.parts.headline import headline, round_said
from games.web.parts.table_page import TablePage
from games.web.table.past.past_page import PastPage
from games.web.table.score_sheet import sheet
from games.web.tables import GamePage, drawn, page_of


@never_cache
@require_GET
@xframe_options_sameorigin
def operator_table(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match, user = _watched(request, match_id)
    version, seat = _number(request, "ply"), _number(request, "seat")
    version = match.version if version is None else min(max(version, 0), match.version)
    if seat is not None:
        _note(request, match, user, seat, version)
    then = match_at(match, version)
    page = PastPage(then, None, seat, plies_read=page_of(match.game).plies_read)
    framed = {"framed": "ply" in request.GET}

    def draw(game_page: GamePage) -> HttpResponse:
        return render(request, "games/operator_table.html", _context(page, game_page) | framed)

    response = drawn(page_of(match.game), draw)
    response._csp_replace = {"frame-ancestors": [SELF]}  # type: ignore[attr-defined]  # noqa: SLF001
    return response


def _watched(request: HttpRequest, match_id: UUID) -> tuple[MatchSnapshot, User]:
    user = request.user
    if not isinstance(user, User) or not user.is_staff or lacks_second_factor(request):
        raise Http404
    access = find_match(match_id, Caller())
    if access is None or access.match.state_json is None:
        raise Http404
    if not looking.may_watch(access.match, user, request.session):
        raise Http404
    return access.match, user


def _note(request: HttpRequest, match: MatchSnapshot, user: User, seat: int, version: int) -> None:
    session = request.session
    if seat >= len(match.seats) or not looking.may_see_cards(match, user, session):
        raise Http404
    looking.note_look(match, user, session, seat, version)


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _context(page: TablePage, game_page: GamePage) -> dict[str, object]:
    return {
        "page": page,
        "match": page.match,
        "game": page.match.rules,
        "view": page.view,
        "tag": "",
        "on_timeout": None,  # nothing to press
        "headline": headline(page),
        "round_said": round_said(page),
        "scores": sheet(page),
        "game_page": game_page,
        "scene": game_page.scene(page),
    }
