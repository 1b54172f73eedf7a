"""The part of a finished table that waits for the next match of a mirrored set, or its result."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.web.parts.visitor import user_id
from games.web.table.endings.mirrored import mirrored_panel
from games.web.table.showing import visible_match


@require_safe
@never_cache
def mirrored_part(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = visible_match(request, match_id)
    mirrored = mirrored_panel(match, user_id(request))
    if mirrored is None:
        raise Http404("This match is not mirrored.")
    context = {"mirrored": mirrored, "match": match}
    return render(request, "games/parts/mirrored.html", context)
