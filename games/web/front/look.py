"""How cards look to a reader: two or four colours, which back. A cookie of the browser keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from accounts.web.language import next_page

COOKIE: Final = "card_look"
COLOURS: Final = {"two": _("Two colours"), "four": _("Four colours")}
BACKS: Final = {"lattice": _("Lattice"), "rays": _("Rays"), "waves": _("Waves")}


@dataclass(frozen=True)
class Look:
    colours: str = "two"
    back: str = "lattice"

    @property
    def classes(self) -> str:
        """Those of the page's element; the usual look needs none."""
        four = "four-colours" if self.colours == "four" else ""
        back = "" if self.back == "lattice" else f"back-{self.back}"
        return " ".join(filter(None, (four, back)))

    @property
    def back_picture(self) -> str:
        return f"games/cards/back-{self.back}.svg"


def look_of(request: HttpRequest) -> Look:
    colours, _dot, back = request.COOKIES.get(COOKIE, "").partition(".")
    return _look({"colours": colours, "back": back})


def _look(named: Mapping[str, str], before: Look = Look()) -> Look:
    colours, back = named.get("colours", ""), named.get("back", "")
    return Look(
        colours if colours in COLOURS else before.colours, back if back in BACKS else before.back
    )


@require_POST
def set_look(request: HttpRequest) -> HttpResponse:
    """The switch in the page: ``colours``, ``back`` or both; back to ``next``."""
    look = _look(request.POST.dict(), look_of(request))
    response = redirect(next_page(request))
    response.set_cookie(
        COOKIE,
        f"{look.colours}.{look.back}",
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response
