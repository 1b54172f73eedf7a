"""Waiting for somebody to play with: the form, the page on which one waits, and giving up."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import User
from games.language import words
from games.lobby import seeking, selectors
from games.lobby.models import Seek
from games.lobby.refusals import AlreadyPaired
from games.web.front.seeking import wish_of
from games.web.parts.options_form import preset_name
from games.web.parts.visitor import once, user_id
from games.web.site.landing import game_or_404


@require_POST
def seek(request: HttpRequest) -> HttpResponse:
    """Waits for anybody; a visitor becomes a guest."""
    game = game_or_404(request.POST.get("game", ""))
    wish = wish_of(game, request.POST)

    def make(user: User) -> UUID:
        return seeking.seek(account=user, wish=wish).id

    user = request.user
    return redirect("seek", make(user) if isinstance(user, User) else once(request, make))


@never_cache
@require_GET
def seek_page(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    """Who waits looks at it, asks for it again, and is led to the match."""
    user = user_id(request)
    found = selectors.seek_of(user, seek_id)
    if found.match_id is not None:
        return _to_match(request, found)
    seeking.sign_of_life([found.account_id])
    return render(request, "games/seek.html", _context(found))


def _to_match(request: HttpRequest, found: Seek) -> HttpResponse:
    match = redirect("table", found.match_id)
    return HttpResponseClientRedirect(match.url) if request.headers.get("HX-Request") else match


def _context(found: Seek) -> dict[str, object]:
    game = found.rules
    return {
        "seek": found,
        "game": game,
        "pace": words(found.named_pace.name),
        "preset": preset_name(game, found.preset) if found.preset else "",
        "queue": selectors.queue_of(found),
        "since": int(found.created_at.timestamp()),
        "clock": _clock(int((timezone.now() - found.created_at).total_seconds())),
    }


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


@require_POST
def stop_seek(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    found = selectors.seek_of(user_id(request), seek_id)
    try:
        seeking.withdraw(account=found.account, seek_id=seek_id)
    except AlreadyPaired:
        return redirect("seek", seek_id)
    return redirect("lobby")
