"""The part of a finished table that waits for the change of the ratings."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.web.parts.visitor import user_id
from games.web.table.endings.rating import rating_changes
from games.web.table.showing import visible_match


@require_safe
@never_cache
def rating_part(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = visible_match(request, match_id)
    context = {"ratings": rating_changes(match, user_id(request))}
    return render(request, "games/parts/rating_changes.html", context)
