"""A board is the nine places in front of a seat: what may lie there and what cards do (R9-R22)."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from cardroom.rules.pazaak.moves import CardPlay
from cardroom.rules.pazaak.side_cards import SIDE_CARDS

TARGET: Final = 20
PLACES: Final = 9
MAIN_PACK: Final[tuple[int, ...]] = tuple(value for value in range(1, 11) for _ in range(4))


# R14, R15: value cards are placed and need a free place; flip and double are spent.
TAKES_PLACE: Final[frozenset[str]] = frozenset(
    card.code for card in SIDE_CARDS if card.kind not in ("flip", "double")
)


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


def has_space(board: Board, code: str, *, specials_take_slot: bool) -> bool:
    """R14: a card that is placed needs a free place; R15: flip and double as a rule do not."""
    if len(board) < PLACES:
        return True
    return code not in TAKES_PLACE and not specials_take_slot


def lay(
    board: Board, card: CardPlay, *, specials_take_slot: bool
) -> tuple[Board, int | tuple[int, ...]]:
    """The board after a card, and what it did: a value placed, or the indexes it changed."""
    if card.flips:
        turned, changed = flip(board, card.flips)
        return (*turned, Placed("side", card.code, 0)) if specials_take_slot else turned, changed
    if card.kind != "double":
        return (*board, Placed("side", card.code, card.amount)), card.amount
    if specials_take_slot:
        value = board[-1].value
        return (*board, Placed("side", card.code, value)), value
    return double_newest(board), (len(board) - 1,)


def has_tiebreaker(board: Board, scope: str) -> bool:
    """R22: a tiebreaker as the newest card, or (``played_this_round``) anywhere."""
    looked_at = board if scope == "played_this_round" else board[-1:]
    return any(card.code == "T" for card in looked_at)
