"""The list of leagues, a division of one, and the forms to join and to leave it."""

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from cardroom.rules import catalog
from config.words import sentence_of
from games.leagues import joining, selectors
from games.leagues.points import FULL, MATCHES, MEETINGS
from games.leagues.refusals import NoSuchLeague
from games.web.parts.visitor import user_id


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    rows = [(catalog.find(one.game), one) for one in selectors.summaries(user_id(request))]
    return render(request, "games/leagues/index.html", {"leagues": rows, **_rules()})


@require_safe
@never_cache
def league(request: HttpRequest, slug: str) -> HttpResponse:
    reader = user_id(request)
    try:
        sheet = _sheet(request, slug)
    except NoSuchLeague as refused:
        raise Http404(sentence_of(refused)) from None
    before, after = selectors.neighbours(sheet)
    context = {
        "game": catalog.find(slug),
        "sheet": sheet,
        "before": before,
        "after": after,
        "is_member": selectors.is_member(reader, slug),
        "may_join": isinstance(request.user, User) and not request.user.is_guest,
        "weeks": selectors.own_weeks(reader, slug) if reader else [],
        **_rules(),
    }
    return render(request, "games/leagues/league.html", context)


@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    if not isinstance(request.user, User):
        return redirect("account_login")
    joining.join(user=request.user, game=slug)
    return redirect("league", slug)


@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    if not isinstance(request.user, User):
        return redirect("account_login")
    joining.leave(user=request.user, game=slug)
    return redirect("league", slug)


def _sheet(request: HttpRequest, slug: str) -> selectors.Sheet:
    """What the address names wrongly is not there."""
    sent = {name: request.GET.get(name, "") for name in ("week", "tier", "division")}
    try:
        monday = date.fromisoformat(sent["week"]) if sent["week"] else None
        tier, number = (int(sent[name]) if sent[name] else None for name in ("tier", "division"))
    except ValueError:
        raise NoSuchLeague from None
    return selectors.sheet_of(
        slug, reader=user_id(request), monday=monday, tier=tier, number=number
    )


def _rules() -> dict[str, Any]:
    return {"full": FULL, "meetings": MEETINGS, "most": MATCHES}
