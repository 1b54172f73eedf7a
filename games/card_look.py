"""How cards look to a reader: two or four colours, and which back. A cookie keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

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
    return chosen({"colours": colours, "back": back})


def chosen(named: Mapping[str, str], before: Look = Look()) -> Look:
    """The look with the values named; those that are none keep what was before."""
    colours, back = named.get("colours", ""), named.get("back", "")
    return Look(
        colours if colours in COLOURS else before.colours, back if back in BACKS else before.back
    )
