"""Parts of the table beyond the view: the attack card by card, the hand and what it may do."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from cardroom.rules.cards import CARD
from durak_cardroom.events import GameOver
from durak_cardroom.moves import PASS, TAKE, TRANSFER
from durak_cardroom.predicates import suit
from durak_cardroom.recap import hint, moments
from durak_cardroom.table import sentences
from durak_cardroom.table.motion import motions
from durak_cardroom.view import DurakView
from games.language import words
from games.web.parts.table_page import MoveButton, SeatPanel, TablePage
from games.web.tables.any_game import SeatedScene

__all__ = ["CLOSES", "ending", "hint", "moments", "motions", "scene"]

CLOSES: Final = GameOver
BACKS: Final = 8  # of another hand; more look the same
IN_A_ROW: Final = 9  # cards of the own hand on a phone
SUITS: Final = "♣♦♥♠"
KEYS: Final = {TAKE: "t", PASS: "d"}


@dataclass(frozen=True)
class TableSeat:
    """A seat with its cards; ``does`` names its part in this attack for the style."""

    panel: SeatPanel
    cards: int
    does: str
    role: str
    points: int
    known: tuple[str, ...]

    @property
    def backs(self) -> range:
        return range(min(self.cards, BACKS))


@dataclass(frozen=True)
class Pair:
    """A place of the attack: the card to be beaten and what beats it.

    ``is_aimed`` marks where the next card of the viewer goes.
    """

    nth: int
    attack: str | None
    defence: str | None
    is_aimed: bool


@dataclass(frozen=True)
class Held:
    """A card of the own hand; without a button it may not be played now."""

    code: str
    button: MoveButton | None
    is_trump: bool

    @property
    def passes_on(self) -> bool:
        return self.button is not None and self.button.move.startswith(TRANSFER)


@dataclass(frozen=True)
class Scene(SeatedScene[TableSeat]):
    view: DurakView

    @property
    def trump_sign(self) -> str:
        return SUITS[suit(CARD[self.view.trump])]

    @cached_property
    def pairs(self) -> list[Pair]:
        """As many places as the attack may have cards (R13)."""
        view, yours = self.view, self.page.is_your_turn
        beaten, laid = len(view.defences), len(view.attacks)
        aimed = beaten if sentences.is_defended(view) else laid
        return [
            Pair(
                nth,
                view.attacks[nth] if nth < laid else None,
                view.defences[nth] if nth < beaten else None,
                is_aimed=yours and nth == aimed,
            )
            for nth in range(max(laid, view.limit))
        ]

    @cached_property
    def hand(self) -> list[Held]:
        trumps = suit(CARD[self.view.trump])
        return [
            Held(code, self._button(code), suit(CARD[code]) == trumps) for code in self.view.hand
        ]

    @property
    def rows(self) -> list[list[Held]]:
        """The hand in rows of about equal length, as a phone shows it."""
        rows = -(-len(self.hand) // IN_A_ROW) or 1
        size = -(-len(self.hand) // rows) or 1
        return [self.hand[at : at + size] for at in range(0, len(self.hand), size)]

    def _button(self, code: str) -> MoveButton | None:
        """The move of a click on the card: it attacks or beats, else it passes the attack on."""
        return self._of_move.get(code) or self._of_move.get(f"{TRANSFER} {code}")

    @cached_property
    def _of_move(self) -> dict[str, MoveButton]:
        return {button.move: button for button in self.page.move_buttons}

    @property
    def buttons(self) -> list[MoveButton]:
        """The moves that no card of the hand plays."""
        played = {held.button.move for held in self.hand if held.button}
        return [
            MoveButton(button.move, button.label, KEYS.get(button.move, ""))
            for button in self.page.move_buttons
            if button.move not in played
        ]

    @property
    def situation(self) -> str:
        """A sentence about the next act, or about who attacks whom."""
        names = [panel.name for panel in self.page.seat_panels]
        if self.page.match.is_over:
            return ""
        told = sentences.to_do if self.page.is_your_turn else sentences.going_on
        return words(told(self.view, names))

    @property
    def why_not(self) -> str:
        why = sentences.why_not(self.view) if self.page.is_your_turn else None
        return words(why) if why else ""

    def _seat(self, panel: SeatPanel) -> TableSeat:
        seat, view = panel.index, self.view
        does, role = ("", None) if self.page.match.is_over else sentences.role(view, seat)
        return TableSeat(
            panel=panel,
            cards=view.hand_sizes[seat],
            does=does,
            role=words(role) if role else "",
            points=view.points[seat],
            known=() if panel.is_you else view.known[seat],
        )


@dataclass(frozen=True)
class Ending:
    """A seat after a game; ``points`` are those of the whole match so far."""

    panel: SeatPanel
    is_fool: bool
    points: int


def ending(page: TablePage, event: GameOver) -> list[Ending]:
    """Those who escaped, then the fool."""
    points = page.view.points if isinstance(page.view, DurakView) else event.scores
    seats = [
        Ending(panel, seat == event.fool, points[seat])
        for seat, panel in enumerate(page.seat_panels)
    ]
    return sorted(seats, key=lambda each: each.is_fool)


def scene(page: TablePage) -> Scene:
    if not isinstance(page.view, DurakView):
        raise TypeError("This is not a table of Durak.")
    return Scene(page, page.view)
