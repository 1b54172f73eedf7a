"""Names for a field in which somebody writes whom to invite."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from games.lobby.finding.acquaintances import acquaintances
from games.web.parts.visitor import user_id

LONGEST: Final = 40


@never_cache
@require_GET
def people_known(request: HttpRequest) -> HttpResponse:
    """The options of a list; nobody is known to a visitor."""
    user, beginning = user_id(request), request.GET.get("begins", "").strip()[:LONGEST]
    known = acquaintances(user, beginning) if user is not None else []
    return render(request, "games/parts/people_known.html", {"known": known})
