"""What the design page shows of moments and endings: one of each."""

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from cardroom.rules.text import counted, say, say_n
from games.web.parts.clips import Clip
from games.web.parts.motions import Motion, call


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
