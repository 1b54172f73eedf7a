"""The pages of an analysis."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from config.refusals import Refusal
from config.words import sentence_of
from games.absent import check_installed
from games.coaching import selectors, services
from games.matches.snapshot import MatchSnapshot
from games.web.analysis.lines import AnalysisPage
from games.web.parts.visitor import current_or_guest_user, user_id
from games.web.table.showing import visible_match


@never_cache
@require_http_methods(["GET", "POST"])
def analysis(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The analysis, or how far it is; a press of the button begins it."""
    match = visible_match(request, match_id)
    check_installed(match.rules)
    if request.method == "POST":
        return _begin(request, match)
    return render(request, "games/analysis.html", _context(request, match))


@require_POST
def stop_analysis(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Throws a running analysis away; of somebody else's nothing changes."""
    match = visible_match(request, match_id)
    try:
        services.stop(match=match, user=current_or_guest_user(request))
    except Refusal as refusal:
        return _refused(request, match, refusal)
    return redirect("table", match_id)


def _begin(request: HttpRequest, match: MatchSnapshot) -> HttpResponse:
    try:
        services.analyse(match=match, user=current_or_guest_user(request))
    except Refusal as refusal:
        return _refused(request, match, refusal)
    return redirect("analysis", match.id)


def _refused(request: HttpRequest, match: MatchSnapshot, refusal: Refusal) -> HttpResponse:
    context = _context(request, match) | {"fault": sentence_of(refusal)}
    return render(request, "games/analysis.html", context, status=refusal.status)


def _context(request: HttpRequest, match: MatchSnapshot) -> dict[str, Any]:
    context: dict[str, Any] = {"match": match, "game": match.rules}
    try:
        services.check_may_read(match, user_id(request))
    except Refusal as refusal:
        return context | {"fault": sentence_of(refusal)}
    row = selectors.find(match.id)
    if row is None:
        return context
    seat = _seat(request, match)
    page = AnalysisPage(match, row, seat, shows_all=request.GET.get("show") == "all")
    return context | {"page": page, "row": row, "is_own": row.requester_id == user_id(request)}


def _seat(request: HttpRequest, match: MatchSnapshot) -> int:
    """The seat that the address names, else the reader's own, else the first."""
    text, user = request.GET.get("seat", ""), user_id(request)
    if text.isascii() and text.isdecimal() and int(text) < len(match.seats):
        return int(text)
    own = [seat.index for seat in match.seats if user is not None and seat.user_id == user]
    return own[0] if own else 0
