"""The repertoire of ten cards: the busts they undo, the totals they make 20."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cardroom.rules.pazaak.predicates import CARD_PLAYS, TARGET, WAYS, is_bust
from cardroom.rules.pazaak.side_cards import CARD

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
