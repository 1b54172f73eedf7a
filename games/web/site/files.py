"""What browsers, phones and search engines ask every site for by a fixed name."""

from pathlib import Path
from typing import Final

from django.http import FileResponse, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

PICTURES: Final = Path(__file__).resolve().parents[2] / "static" / "games" / "img"
# Pages that are somebody's own, change with every move, or cost work to make.
NOT_FOR_ROBOTS: Final = (
    "/accounts/", "/admin/", "/api/", "/decks/", "/history", "/lobby", "/matches/", "/new",
    "/play/", "/simulations", "/stream",
)  # fmt: skip
# They ask for the page that somebody sent on, to show what it is.
FOR_PREVIEWS: Final = ("facebookexternalhit", "Twitterbot", "WhatsApp", "TelegramBot")
_CLOSED: Final = [f"Disallow: {path}\n" for path in NOT_FOR_ROBOTS]
ROBOTS: Final = "".join([
    "User-agent: *\n", *_CLOSED,
    "\n", *[f"User-agent: {name}\n" for name in FOR_PREVIEWS],
    *[line for line in _CLOSED if "/matches/" not in line],
])  # fmt: skip

_kept_for_a_day = cache_control(public=True, max_age=86400)


@_kept_for_a_day
@require_safe
def favicon(_request: HttpRequest) -> FileResponse:
    return FileResponse((PICTURES / "favicon.ico").open("rb"), content_type="image/x-icon")


@_kept_for_a_day
@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")
