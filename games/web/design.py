"""The design system on one page, while DEBUG is on: every part, both schemes, every language."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import override
from django.views.decorators.http import require_GET

from cardroom.rules import catalog
from games.language import local_letters
from games.templatetags.faces import COMPUTERS
from games.web.tables import pages_with_specimens

CARDS: Final = [f"{rank}{suit}" for suit in "SHCD" for rank in "A23456789TJQK"]
SIDE_CARDS: Final = ("P3", "M4", "PM6", "PM12", "F24", "D", "T")
PEOPLE: Final = (
    *("Ada", "Ben", "Zeynep", "Олег", "Jiří", "Mehmet", "Anna", "Quiet Hare", "Wise Owl"),
    *("Emil", "Fatma", "Gül"),
)
COLOURS: Final = (
    *("paper", "panel", "ink", "muted", "line", "link", "accent", "gold", "red", "felt"),
    *("felt-deep", "brass", "signal", "card-paper", "suit-red", "suit-black"),
)
SCHEMES: Final = ("light", "dark")


@dataclass(frozen=True)
class ShownSeat:
    """Stands for a seat in the template of a name plate."""

    kind: str
    stand_in: str = ""
    resigned_at: None = None
    timed_out: bool = False


@dataclass(frozen=True)
class ShownPanel:
    index: int
    name: str
    bot: str | None = None
    is_acting: bool = False
    is_winner: bool = False
    is_you: bool = False

    @property
    def seat(self) -> ShownSeat:
        return ShownSeat("bot" if self.bot else "user")


@require_GET
def design(request: HttpRequest) -> HttpResponse:
    shown = [(code, _parts(request, code)) for code, _name in settings.LANGUAGES]
    pages = [page for page, specimens in pages_with_specimens() if specimens.ending]
    styles = [style for page in pages for style in page.styles]
    context = {"shown": shown, "schemes": SCHEMES, "styles": styles, "title": "Design"}
    return render(request, "games/design.html", context)


def _parts(request: HttpRequest, language: str) -> SafeString:
    with override(language), local_letters(wanted=True):
        return render_to_string("games/design_parts.html", _context(), request)


def _context() -> dict[str, Any]:
    specimens = pages_with_specimens()
    return {
        "cards": CARDS,
        "side_cards": SIDE_CARDS,
        "people": PEOPLE,
        "computers": sorted(COMPUTERS),
        "colours": COLOURS,
        "games": catalog.GAMES,
        "match": {
            "id": UUID(int=0),
            "deadline_at": datetime.now(UTC) + timedelta(seconds=9),
            "turn_seconds": 30,
            "status": "active",
        },
        "panels": [
            ShownPanel(0, "Ada", is_acting=True),
            ShownPanel(1, "Greedy", bot="greedy"),
            ShownPanel(2, "Zeynep", is_winner=True),
            ShownPanel(3, "Жан-Жак Константинопольский"),
        ],
        "moments": [moment for _, shown in specimens for moment in shown.moments()],
        "clips": [(page, clip) for page, shown in specimens for clip in shown.clips],
        "endings": [(page, shown.ending()) for page, shown in specimens if shown.ending],
    }
