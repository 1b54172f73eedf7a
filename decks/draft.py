"""A deck being crafted: all of it travels in the form and in the address, nothing is stored.

So the bench works without scripts and without an account, survives a reload, can be passed on as
a link, and a refused save loses nothing that was typed or chosen.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from games.rules.pazaak.side_cards import CARD, CODES, DECK_SIZE

MOST_STEPS: Final = 30
MOST_CARDS: Final = 40  # of a tampered form: more than a deck, so that the faults can be told
CODE: Final = re.compile(r"[^\s.]{1,20}")
STEP: Final = re.compile(r"[ar][A-Z0-9]{1,4}(\.[ar][A-Z0-9]{1,4})*")
_ORDER: Final = {code: at for at, code in enumerate(CODES)}


@dataclass(frozen=True)
class Draft:
    """``steps`` are the changes so far, to be undone: ``aP3`` added, ``rM1.rM1`` took out."""

    name: str = ""
    cards: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    is_default: bool = False

    @classmethod
    def of(cls, data: Mapping[str, str]) -> "Draft":
        """From what a form or an address holds."""
        steps = [step for step in data.get("steps", "").split() if STEP.fullmatch(step)]
        return cls(
            name=data.get("name", ""),
            cards=_sorted(Counter(CODE.findall(data.get("cards", ""))[:MOST_CARDS])),
            steps=tuple(steps[-MOST_STEPS:]),
            is_default=bool(data.get("is_default")),
        )

    @property
    def query(self) -> str:
        held = {"name": self.name, "cards": self.card_text, "steps": self.step_text}
        return urlencode(held | ({"is_default": "on"} if self.is_default else {}))

    @property
    def card_text(self) -> str:
        return " ".join(self.cards)

    @property
    def step_text(self) -> str:
        return " ".join(self.steps)

    @property
    def missing(self) -> int:
        return max(0, DECK_SIZE - len(self.cards))

    def add(self, code: str) -> "Draft":
        return self._take(f"a{code}")

    def remove(self, code: str) -> "Draft":
        return self._take(f"r{code}")

    def clear(self) -> "Draft":
        return self._take(".".join(f"r{code}" for code in self.cards))

    def undo(self) -> "Draft":
        *before, last = self.steps
        return replace(self, cards=changed(self.cards, last, back=True), steps=tuple(before))

    def _take(self, step: str) -> "Draft":
        steps = (*self.steps, step)[-MOST_STEPS:]
        return replace(self, cards=changed(self.cards, step), steps=steps)


def changed(cards: tuple[str, ...], step: str, *, back: bool = False) -> tuple[str, ...]:
    """The cards after a step, or before it."""
    copies = Counter(cards)
    for change in step.split("."):
        copies[change[1:]] += 1 if (change[0] == "a") != back else -1
    return _sorted(copies)


def _sorted(copies: Counter[str]) -> tuple[str, ...]:
    """In catalogue order, what is no card at all last; it is for the faults to name."""
    return tuple(sorted((+copies).elements(), key=lambda code: _ORDER.get(code, len(CARD))))
