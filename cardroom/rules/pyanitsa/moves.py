"""The notation: `flip`, or `collect` and the cards of the trick in the order they are put away."""

from collections.abc import Iterable
from typing import Final

from cardroom.rules.cards import CARD, texts
from cardroom.rules.errors import MalformedMove
from cardroom.rules.text import say
from cardroom.rules.values import Move

FLIP: Final = "flip"
COLLECT: Final = "collect"

NOTATION: Final = say(
    "That is no move of Pyanitsa: a move is 'flip', or 'collect' and the cards of the trick in "
    "the order you want them, such as 'collect KC 9D'."
)
CARDS: Final = say(
    "After 'collect' come cards with one space between them, each a rank and a suit such as 9D, "
    "or a joker, X1 or X2."
)


def parse(move: Move) -> tuple[int, ...] | None:
    """The cards that a `collect` names, ``None`` for `flip`; ``MalformedMove`` for all else."""
    if move == FLIP:
        return None
    word, *codes = move.split(" ")
    if word != COLLECT or not codes:
        raise MalformedMove("unknown_move", NOTATION)
    if any(code not in CARD for code in codes):
        raise MalformedMove("unknown_card", CARDS)
    if len(set(codes)) < len(codes):
        raise MalformedMove("repeated_card", say("After 'collect' each card comes once."))
    return tuple([CARD[code] for code in codes])


def text(cards: Iterable[int]) -> Move:
    """The move that collects these cards in this order."""
    return " ".join([COLLECT, *texts(cards)])


def public_move(move: Move) -> Move:
    """The move as others may read it: an order of collection names cards that lay face down."""
    return COLLECT if move.startswith(COLLECT) else move


def represents_others(move: Move) -> bool:
    """A collection is listed as the cards were laid and stands for all their orders."""
    return move.startswith(COLLECT)
