"""Which card is higher: plain ints, so that simulation kernels can use the very same functions.

A card's *strength* is twice its rank, which leaves room for a low card just above the ace.
"""

from collections.abc import Sequence
from typing import Final

from cardroom.rules.cards import ACE, RANK, X1

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
    """How the cards of one comparison stand (R3); rank ``low`` beats an ace among them."""
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
