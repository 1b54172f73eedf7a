"""The worth of cards to the side that takes them, in points: by rule of thumb."""

from collections.abc import Iterable, Sequence
from typing import Final

from cardroom.rules.cards import ACE, RANK, SEVEN, SIX
from scopa_cardroom.predicates import COINS, SEVEN_OF_COINS, Cards, captures

SWEEP: Final = 1.0
ANY_CARD: Final = 0.05  # one of 40, of which 21 are a point
COIN: Final = 0.14
PRIMES: Final = {SEVEN: 0.25, SIX: 0.1, ACE: 0.07}


def _worth(card: int) -> float:
    sure = 1.0 if card == SEVEN_OF_COINS else 0.0
    return ANY_CARD + sure + (COIN if card in COINS else 0.0) + PRIMES.get(RANK[card], 0.0)


WORTH: Final = tuple([_worth(card) for card in range(52)])


def worth(cards: Iterable[int]) -> float:
    return sum([WORTH[card] for card in cards])


def gain(card: int, taken: Cards, table: Sequence[int]) -> float:
    """Of a play: what the card takes, itself and the sweep."""
    if not taken:
        return 0.0
    return WORTH[card] + worth(taken) + (SWEEP if len(taken) == len(table) else 0.0)


def plays(card: int, table: Sequence[int], *, fifteen: bool) -> list[Cards]:
    """The captures of a card; nothing is the only one where it lies down."""
    return captures(card, table, fifteen=fifteen) or [()]


def table_after(card: int, taken: Cards, table: Sequence[int]) -> Cards:
    if not taken:
        return (*table, card)
    return tuple([other for other in table if other not in taken])
