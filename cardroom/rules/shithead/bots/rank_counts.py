"""Cards as counts of their ranks in one number, four bits a rank.

Suits never matter in Shithead, so a count for every rank is all a strategy weighs. The ranks stand
in the order in which ``keeper`` parts with them, so the rank to part with first is the lowest one
set.
"""

from collections.abc import Iterable
from functools import cache, partial
from typing import Final

from cardroom.rules.cards import RANKS
from cardroom.rules.flat import lowest_bit
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shithead.predicates import NOTHING, RANK_COUNT, allowed

PARTS_WITH: Final = "456789JQKA32XT"  # first to last
PLACE: Final[dict[str, int]] = {rank: place for place, rank in enumerate(PARTS_WITH)}
RANK_OF: Final[tuple[int, ...]] = tuple(RANKS.index(rank) for rank in PARTS_WITH)
FOUR, SEVEN, NINE, JACK, QUEEN, KING, ACE, THREE, TWO, JOKER, TEN = (
    PLACE[r] for r in "479JQKA32XT"
)
ANYTHING: Final = -1  # the rank to beat when any card may be played
ONE: Final = tuple(1 << 4 * place for place in range(RANK_COUNT))
ONES: Final = sum(ONE)  # one card of each rank
WILD: Final = ((1 << 16) - 1) << 4 * THREE
_PAIRS: Final = 0x0F0F0F0F0F0F0F


def counts_of(codes: Iterable[str]) -> int:
    return sum([ONE[PLACE[code[0]]] for code in codes])


def count(cards: int) -> int:
    """The number of cards."""
    return ((cards & _PAIRS) + (cards >> 4 & _PAIRS)) % 255


def first(cards: int) -> int:
    """The place of the rank that comes first; of nothing −1."""
    return lowest_bit(cards) >> 2


def masks(options: ShitheadOptions) -> tuple[int, ...]:
    """For each rank to beat (by place; the last one: none) the ranks that may be played (R11)."""
    return _masks(int(options.seven_lower), int(options.joker_top == "reset"))


@cache
def _masks(seven_lower: int, joker_reset: int) -> tuple[int, ...]:
    may = partial(allowed, seven_lower=seven_lower, joker_reset=joker_reset)
    return tuple(
        sum(15 << 4 * place for place, rank in enumerate(RANK_OF) if may(rank, t))
        for t in (*RANK_OF, NOTHING)
    )
