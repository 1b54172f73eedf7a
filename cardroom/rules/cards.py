"""Playing cards as plain ints, with text at the edges.

A card is ``suit * 13 + rank`` with suits ``C D H S`` and ranks ``2 … A`` (0…12); the jokers
``X1`` and ``X2`` are 52 and 53. Ints are what simulation kernels read; people, records and the
API read the codes of RULES.md §0 (``7H``, ``TD``, ``X1``).
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

RANKS: Final = "23456789TJQKAX"
SUITS: Final = "CDHS"
TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE, JOKER = range(14)
X1: Final = 52
X2: Final = 53

TEXT: Final[tuple[str, ...]] = (*(r + s for s in SUITS for r in RANKS[:13]), "X1", "X2")
RANK: Final[tuple[int, ...]] = (*(card % 13 for card in range(52)), JOKER, JOKER)
CARD: Final[dict[str, int]] = {text: card for card, text in enumerate(TEXT)}

_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def pack(size: int) -> tuple[int, ...]:
    """The pack of 36, 52 or 54 cards in canonical order (FORMAT.md §1)."""
    if size == 36:
        return tuple(card for card in range(52) if RANK[card] >= SIX)
    if size in (52, 54):
        return tuple(range(size))
    raise ValueError(f"There is no pack of {size} cards; packs have 36, 52 or 54.")


def text(card: int) -> str:
    return TEXT[card]


def texts(cards: Iterable[int]) -> tuple[str, ...]:
    return tuple([TEXT[card] for card in cards])


def parse(codes: str) -> tuple[int, ...]:
    """Cards from their codes separated by spaces; ``ValueError`` names the first unknown one."""
    cards = []
    for code in codes.split():
        if code not in CARD:
            raise ValueError(f"{code!r} is not a card; cards are a rank and a suit, such as 7H.")
        cards.append(CARD[code])
    return tuple(cards)


@cache
def pretty(code: str) -> str:
    """A code as people write it: ``TD`` is ``10♦``, ``X1`` is ``Joker 1``."""
    if code[0] == "X":
        return f"Joker {code[1]}"
    rank = "10" if code[0] == "T" else code[0]
    return rank + _SYMBOLS[code[1]]
