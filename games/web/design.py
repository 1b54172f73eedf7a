"""The design system on one page, while DEBUG is on: every part, both schemes, every language."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_GET

from cardroom.rules import catalog
from cardroom.rules.text import counted, say, say_n
from games.language import local_letters
from games.templatetags.faces import COMPUTERS
from games.web.parts.motions import Clip, Motion, call

# What the design page shows of moments and endings: one of each.


@dataclass(frozen=True)
class ShownFace:
    index: int
    name: str
    bot: str | None = None


@dataclass(frozen=True)
class ShownSide:
    """Stands for a side in the template of a scored deal."""

    panels: list[ShownFace]
    causes: list[dict[str, Any]]
    points: int
    before: int
    is_yours: bool = False
    target: int = 151
    total: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.before + self.points)


def shown() -> dict[str, Any]:
    return {
        "moments": _moments(),
        "clips": _clips(),
        "ending": _sides(),
        "game_page": {"card_template": "games/tables/pazaak/card.html"},
    }


def _moments() -> list[Motion]:
    return [
        call(_("Pişti!"), effect="burst", at="pile"),
        call(_("Double pişti!"), effect="double", at="pile"),
        call(_("Burned!"), "fire", effect="burn", at="pile"),
        call(_("Dispute!"), "fire", effect="dispute", at="trick"),
        call(_("Bust!"), "red", effect="bust", at="board-0"),
        call(_("Twenty!"), effect="twenty", at="board-0"),
    ]


def _clips() -> list[tuple[str, Clip]]:
    return [
        ("pisti", Clip(1, 0, ("7H",), ("7S",), after="+10", effect="burst")),
        ("pisti", Clip(1, 0, ("JH",), ("JS",), after="+20", effect="double")),
        ("shithead", Clip(1, 0, ("5C", "9D", "KS"), ("TH",), after="−12", effect="burn")),
        ("pyanitsa", Clip(1, 0, ("9C",), ("KD",), after="+10", effect="dispute")),
        ("pazaak", Clip(1, 0, (), ("M4",), "24", "20", "twenty", are_faces=False)),
    ]


def _sides() -> list[ShownSide]:
    jacks = {"what": say_n("{n} jack", "{n} jacks", 3), "points": 3}
    cards = {"what": counted(30), "points": 3}
    pisti = {"what": say("pişti"), "points": 10}
    return [
        ShownSide([ShownFace(0, "Ada")], [jacks, cards, pisti], 16, 120, is_yours=True),
        ShownSide([ShownFace(1, "Greedy", "greedy")], [], 0, 94),
    ]


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
    context = {"shown": shown, "schemes": SCHEMES, "title": "Design"}
    return render(request, "games/design.html", context)


def _parts(request: HttpRequest, language: str) -> SafeString:
    with override(language), local_letters(wanted=True):
        return render_to_string("games/design_parts.html", _context(), request)


def _context() -> dict[str, Any]:
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
        **shown(),
    }
