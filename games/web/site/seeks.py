"""Waiting for somebody to play with: the form, the page on which one waits, and giving up."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import User
from accounts.web.presses import check_plays_here
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
    check_plays_here(request)
    game = game_or_404(request.POST.get("game", ""))
    wish = wish_of(game, request.POST)

    def make(user: User) -> UUID:
        return seeking.seek(account=user, wish=wish).id

    user = request.user
    return redirect("seek", make(user) if isinstance(user, User) else once(request, make))


@never_cache
@require_GET
def seek_page(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    """A person who waits looks at it, asks for it again, and is led to the match."""
    user = user_id(request)
    own_seek = selectors.seek_of(user, seek_id)
    if own_seek.match_id is not None:
        return _to_match(request, own_seek)
    if not own_seek.is_known:
        return redirect("lobby")  # a newer release has a page for it
    seeking.sign_of_life([own_seek.account_id])
    return render(request, "games/seek.html", _context(own_seek))


def _to_match(request: HttpRequest, own_seek: Seek) -> HttpResponse:
    match = redirect("table", own_seek.match_id)
    return HttpResponseClientRedirect(match.url) if request.headers.get("HX-Request") else match


def _context(own_seek: Seek) -> dict[str, object]:
    game = own_seek.rules
    return {
        "seek": own_seek,
        "game": game,
        "pace": words(own_seek.named_pace.name),
        "preset": preset_name(game, own_seek.preset) if own_seek.preset else "",
        "queue": selectors.queue_of(own_seek),
        "since": int(own_seek.created_at.timestamp()),
        "clock": _clock(int((timezone.now() - own_seek.created_at).total_seconds())),
    }


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


@require_POST
def stop_seek(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    own_seek = selectors.seek_of(user_id(request), seek_id)
    try:
        seeking.withdraw(account=own_seek.account, seek_id=seek_id)
    except AlreadyPaired:
        return redirect("seek", seek_id)
    return redirect("lobby")
