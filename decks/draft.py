"""A deck in the editor: all of it travels in the form and in the address, nothing is stored.

So the editor works without scripts and without an account, survives a reload, can be passed on as
a link, and a refused save loses nothing that was typed or chosen.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple
from urllib.parse import urlencode

from cardroom.rules.pazaak.predicates import CARD_PLAYS, TARGET, WAYS, is_bust
from cardroom.rules.pazaak.side_cards import CARD, CODES, DECK_SIZE, unknown_card
from cardroom.rules.text import Phrase, Words, say

MOST_STEPS: Final = 30
MOST_CARDS: Final = 40  # of a tampered form: more than a deck, so that the faults can be named
CODE: Final = re.compile(r"[^\s.]{1,20}")
STEP: Final = re.compile(r"[ar][A-Z0-9]{1,4}(\.[ar][A-Z0-9]{1,4})*")
COMMANDS: Final = ("add", "remove", "undo", "clear")
_ORDER: Final = {code: at for at, code in enumerate(CODES)}


class Command(NamedTuple):
    """A button of the editor; ``card`` is the one to add or remove. No name: none was pressed."""

    name: str = ""
    card: str = ""

    @classmethod
    def of(cls, data: Mapping[str, str]) -> "Command":
        """The button that a form says was pressed."""
        pressed = (cls(name, data[name]) for name in COMMANDS if name in data)
        return next(pressed, cls())


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
        fields = {"name": self.name, "cards": self.card_text, "steps": self.step_text}
        return urlencode(fields | ({"is_default": "on"} if self.is_default else {}))

    @property
    def card_text(self) -> str:
        return " ".join(self.cards)

    @property
    def step_text(self) -> str:
        return " ".join(self.steps)

    @property
    def missing(self) -> int:
        return max(0, DECK_SIZE - len(self.cards))

    @property
    def counted(self) -> Phrase:
        return say("{n} of {size} cards.", n=len(self.cards), size=DECK_SIZE)

    def apply(self, command: Command) -> "Edit":
        """The draft after a command, or why it is refused."""
        match command.name:
            case "add":
                return self._add(command.card)
            case "remove":
                return self._remove(command.card)
            case "undo":
                return self._undo()
            case "clear" if self.cards:
                step = ".".join(f"r{code}" for code in self.cards)
                return Edit(self._after(step), say("All cards taken out. Undo brings them back."))
            case _:
                return Edit(self, "")

    def _add(self, code: str) -> "Edit":
        if code not in CARD:
            return Edit(self, unknown_card(code), refused=True)
        anchor = f"kind-{CARD[code].kind}"
        if not self.missing:
            full = say("The deck is full: take a card out before you add another.")
            return Edit(self, full, refused=True, anchor=anchor)
        after = self._after(f"a{code}")
        added = say("{name} added. {counted}", name=CARD[code].name, counted=after.counted)
        return Edit(after, added, anchor=anchor)

    def _remove(self, code: str) -> "Edit":
        if code not in self.cards:
            return Edit(self, say("That card is not in the deck."), refused=True)
        after = self._after(f"r{code}")
        name = CARD[code].name if code in CARD else code
        return Edit(after, say("{name} taken out. {counted}", name=name, counted=after.counted))

    def _undo(self) -> "Edit":
        if not self.steps:
            return Edit(self, say("There is nothing to undo."), refused=True)
        *before, last = self.steps
        cards = _changed(self.cards, last, back=True)
        after = replace(self, cards=cards, steps=tuple(before))
        return Edit(after, say("Undone. {counted}", counted=after.counted))

    def _after(self, step: str) -> "Draft":
        steps = (*self.steps, step)[-MOST_STEPS:]
        return replace(self, cards=_changed(self.cards, step), steps=steps)


@dataclass(frozen=True)
class Edit:
    """The result of a command: the draft after it, and a sentence about it or why it was refused.

    ``anchor`` is where on the page a reader without scripts goes on.
    """

    draft: Draft
    message: Words
    refused: bool = False
    anchor: str = "editor"


def _changed(cards: tuple[str, ...], step: str, *, back: bool = False) -> tuple[str, ...]:
    """The cards after a step, or before it."""
    copies = Counter(cards)
    for change in step.split("."):
        copies[change[1:]] += 1 if (change[0] == "a") != back else -1
    return _sorted(copies)


def _sorted(copies: Counter[str]) -> tuple[str, ...]:
    """In catalogue order; what is no card at all comes last, for the faults to name."""
    return tuple(sorted((+copies).elements(), key=lambda code: _ORDER.get(code, len(CARD))))


# The repertoire of ten cards: the busts they undo, the totals they make 20.

LARGEST: Final = 6  # number on a side card: what no card can undo is not worth a column
TOTALS: Final = range(TARGET - LARGEST, TARGET + LARGEST + 1)
BY_BOARD: Final = ("flip", "double")  # what these do depends on the cards on the board


@dataclass(frozen=True)
class Total:
    """A total after the draw, and how many of the ten cards help there."""

    total: int
    cards: int

    @property
    def is_bust(self) -> bool:
        return is_bust(self.total)


@dataclass(frozen=True)
class Repertoire:
    """``totals``: below 20 the cards that make it 20, above it those that undo the bust."""

    totals: tuple[Total, ...]
    signs_to_choose: int
    by_board: tuple[str, ...]

    @property
    def repairs(self) -> list[int]:
        """The busts that a single card undoes, whatever lies on the board."""
        return [each.total for each in self.totals if each.is_bust and each.cards]

    @property
    def lifts(self) -> list[int]:
        """The totals that a single card makes 20."""
        return [each.total for each in self.totals if not each.is_bust and each.cards]


def repertoire(cards: Sequence[str]) -> Repertoire:
    amounts = [amounts_of(code) for code in cards]
    return Repertoire(
        totals=tuple(
            Total(total, sum(helps(each, total) for each in amounts))
            for total in TOTALS
            if total != TARGET
        ),
        signs_to_choose=sum(len(WAYS[code]) > 1 for code in cards),
        by_board=tuple(str(CARD[code].name) for code in cards if CARD[code].kind in BY_BOARD),
    )


def amounts_of(code: str) -> tuple[int, ...]:
    """The values a card can be placed with; none for flip and double."""
    plays = (CARD_PLAYS[move] for move in WAYS[code])
    return tuple(play.amount for play in plays if play.kind not in BY_BOARD)


def helps(amounts: Sequence[int], total: int) -> bool:
    """Whether one of the values undoes a bust, or makes a lower total exactly 20."""
    if is_bust(total):
        return any(not is_bust(total + amount) for amount in amounts)
    return any(total + amount == TARGET for amount in amounts)
