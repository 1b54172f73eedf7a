"""A board is the nine places in front of a seat: what may lie there and what cards do (R9-R22).

The notation of moves (rules §3): every move there is, with what it means, and how to read one.

Fifty texts are all there are, so reading is a look-up and anything else is malformed.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import reduce
from typing import Final, Literal, NamedTuple

import msgspec

from cardroom.rules.pazaak.side_cards import CARD, SIDE_CARDS, SideCard
from cardroom.rules.text import Value, say
from cardroom.rules.values import MalformedMove, Move

SIGNS: Final[tuple[Literal["+", "-"], ...]] = ("+", "-")
NOTATION: Final = say(
    "A move is draw, stand, pass, end, or a side card with its choice, such as P3, PM3-, "
    "PM12+2, F24, D or T+."
)


class CardPlay(NamedTuple):
    """A side card with the choices it needs.

    ``amount`` is the signed value that it places; ``flips`` the two numbers of a flip card;
    ``sign`` and ``value`` are what the player chose, ``None`` where the card leaves no choice.
    """

    code: str
    kind: str
    sign: Literal["+", "-"] | None = None
    value: int | None = None
    amount: int = 0
    flips: tuple[int, int] | None = None


def _signed(card: SideCard, number: int, choice: int | None) -> list[tuple[Move, CardPlay]]:
    return [
        (
            f"{card.code}{sign}{choice or ''}",
            CardPlay(card.code, card.kind, sign=sign, value=choice, amount=int(f"{sign}{number}")),
        )
        for sign in SIGNS
    ]


def _spellings(card: SideCard) -> list[tuple[Move, CardPlay]]:
    """Every way to play a card, in the order a player would read them."""
    if card.kind == "plus-or-minus":
        return _signed(card, int(card.code[2:]), None)
    if card.kind == "tiebreaker":
        return _signed(card, 1, None)
    if card.kind == "plus-or-minus-1-2":
        ones, twos = _signed(card, 1, 1), _signed(card, 2, 2)
        return [ones[0], twos[0], ones[1], twos[1]]
    return [(card.code, _plain(card))]


def _plain(card: SideCard) -> CardPlay:
    if card.kind == "flip":
        return CardPlay(card.code, card.kind, flips=(int(card.code[1]), int(card.code[2])))
    if card.kind == "double":
        return CardPlay(card.code, card.kind)
    number = int(card.code[1:])
    return CardPlay(card.code, card.kind, amount=number if card.kind == "plus" else -number)


WAYS: Final[dict[str, tuple[Move, ...]]] = {
    card.code: tuple(move for move, _ in _spellings(card)) for card in SIDE_CARDS
}
CARD_PLAYS: Final[dict[Move, CardPlay]] = {
    move: play for card in SIDE_CARDS for move, play in _spellings(card)
}
WORDS: Final = ("stand", "draw", "pass", "end")
MOVES: Final[dict[Move, CardPlay | None]] = dict.fromkeys(WORDS) | CARD_PLAYS


def parse(move: Move) -> CardPlay | None:
    """The card play that ``move`` spells, ``None`` for one of ``WORDS``; ``MalformedMove``."""
    try:
        return MOVES[move]
    except (KeyError, TypeError):
        raise _malformed(str(move)) from None


def _malformed(move: str) -> MalformedMove:
    code = re.split("[+-]", move, maxsplit=1)[0]
    if code not in CARD:
        return MalformedMove("unknown_move", NOTATION)
    ways: list[Value] = [*WAYS[code]]
    listed = reduce(lambda before, way: say("{ways} or {way}", ways=before, way=way), ways)
    name = CARD[code].name
    return MalformedMove("bad_fields", say("{card} is played as {ways}.", card=name, ways=listed))


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
