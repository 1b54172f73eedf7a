"""The page of the own matches that are over."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from cardroom.rules import catalog
from games.web.front.results import records_of
from games.web.history.filters import RESULTS, HistoryFilter
from games.web.history.lines import frequent_opponents, history_page
from games.web.parts.visitor import user_id


@never_cache
@require_GET
def history(request: HttpRequest) -> HttpResponse:
    user = user_id(request)
    chosen = HistoryFilter.of(request.GET)
    context = {
        "chosen": chosen,
        "games": catalog.GAMES,
        "kinds": RESULTS.items(),
        "records": records_of(user),
        "opponents": frequent_opponents(user) if user else [],
        "history": history_page(user, chosen) if user else None,
    }
    return render(request, "games/history.html", context)
