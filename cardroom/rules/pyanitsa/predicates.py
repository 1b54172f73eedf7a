"""The order of cards on plain ints, so that simulation kernels can use the very same functions.

A card's *strength* is twice its rank, which leaves room for a low card just above the ace.

The notation: `flip`, or `collect` and the cards of the trick in the order they are put away.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from cardroom.rules.cards import ACE, CARD, RANK, X1, texts
from cardroom.rules.text import say
from cardroom.rules.values import MalformedMove, Move

NO_RANK: Final = -1
ACE_STRENGTH: Final = 2 * ACE
ABOVE_ACE: Final = ACE_STRENGTH + 1  # still below the jokers

EQUAL_JOKERS: Final[tuple[int, ...]] = tuple(2 * rank for rank in RANK)
RANKED_JOKERS: Final[tuple[int, ...]] = (
    *EQUAL_JOKERS[:X1],
    EQUAL_JOKERS[X1] + 1,
    EQUAL_JOKERS[X1],
)


def strengths(cards: Sequence[int], low: int, joker_ranks: bool) -> list[int]:  # noqa: FBT001
    """The strengths of the cards of one comparison (R3); rank ``low`` beats an ace among them."""
    table = RANKED_JOKERS if joker_ranks else EQUAL_JOKERS
    values = [table[card] for card in cards]
    if low != NO_RANK and ACE_STRENGTH in values:
        return [ABOVE_ACE if strength == 2 * low else strength for strength in values]
    return values


def highest(cards: Sequence[int], low: int, joker_ranks: bool) -> list[int]:  # noqa: FBT001
    """The places among ``cards`` of the highest: one, or several that tie (R8, R9)."""
    values = strengths(cards, low, joker_ranks)
    best = max(values)
    return [place for place, strength in enumerate(values) if strength == best]


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
