"""What lies in front of a seat, and the facts about it as predicates on plain ints (R9-R20)."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

TARGET: Final = 20
PLACES: Final = 9
MAIN_PACK: Final[tuple[int, ...]] = tuple(value for value in range(1, 11) for _ in range(4))


class Placed(msgspec.Struct, frozen=True, gc=False):
    """A card on a board: ``code`` is what was printed on it, ``value`` what it counts now."""

    source: Literal["main", "side"]
    code: str
    value: int


Board = tuple[Placed, ...]

MAIN: Final[tuple[Placed, ...]] = tuple(Placed("main", str(value), value) for value in range(11))


def is_bust(total: int) -> bool:
    """R18; totals below zero never are (R19)."""
    return total > TARGET


def is_filled(count: int, total: int) -> bool:
    """R20: a full table that is not bust."""
    return count == PLACES and total <= TARGET


def is_flipped(value: int, numbers: tuple[int, int]) -> bool:
    """R16: by what the card counts now, whichever way it lies."""
    return abs(value) in numbers


def total_of(board: Iterable[Placed]) -> int:
    return sum(card.value for card in board)


def unseen_main(board: Board) -> list[int]:
    """The cards of a main deck that are not on its board, in canonical order."""
    drawn = Counter(int(card.code) for card in board if card.source == "main")
    return sorted((Counter(MAIN_PACK) - drawn).elements())


def flip(board: Board, numbers: tuple[int, int]) -> tuple[Board, tuple[int, ...]]:
    """R16: the board after a flip, and the indexes of the cards that changed sign."""
    turned = tuple(at for at, card in enumerate(board) if is_flipped(card.value, numbers))
    after = tuple(
        Placed(card.source, card.code, -card.value) if at in turned else card
        for at, card in enumerate(board)
    )
    return after, turned


def double_newest(board: Board) -> Board:
    """R17: the newest card counts twice; that is its value from now on."""
    newest = board[-1]
    return (*board[:-1], Placed(newest.source, newest.code, 2 * newest.value))


def has_tiebreaker(board: Board, scope: str) -> bool:
    """R22: a tiebreaker as the newest card, or (``played_this_round``) anywhere."""
    looked_at = board if scope == "played_this_round" else board[-1:]
    return any(card.code == "T" for card in looked_at)
