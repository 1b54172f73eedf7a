"""Facts about cards: what they are worth and what takes what, on plain numbers."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from cardroom.rules.cards import ACE, CARD, EIGHT, JACK, KING, NINE, QUEEN, RANK, SEVEN, SIX, TEN

Cards: TypeAlias = tuple[int, ...]

PACK: Final[Cards] = tuple([card for card in range(52) if RANK[card] not in (EIGHT, NINE, TEN)])
VALUES: Final = {ACE: 1, **{rank: rank + 2 for rank in range(6)}, JACK: 8, QUEEN: 9, KING: 10}
VALUE: Final = tuple([VALUES.get(RANK[card], 0) for card in range(52)])  # R2, by card
FIFTEEN: Final = 15  # R8

COINS: Final = frozenset(card for card in PACK if card // 13 == CARD["2D"] // 13)  # R3
SEVEN_OF_COINS: Final = CARD["7D"]
PRIMES: Final = {SEVEN: 21, SIX: 18, ACE: 16, 3: 15, 2: 14, 1: 13, 0: 12}  # R15, by rank
PRIME: Final = tuple([PRIMES.get(RANK[card], 10) for card in range(52)])
SUITS: Final = range(4)


def is_king(card: int) -> bool:
    return RANK[card] == KING


def captures(card: int, table: Sequence[int], *, fifteen: bool) -> list[Cards]:
    """Every set of cards that this card may take, each in ascending order (R6 to R8)."""
    if fifteen:
        return list(sums(sorted(table), FIFTEEN - VALUE[card]))
    equal: list[Cards] = [(other,) for other in sorted(table) if VALUE[other] == VALUE[card]]
    return equal or list(sums(sorted(table), VALUE[card]))


def sums(cards: Sequence[int], total: int) -> Iterator[Cards]:
    """The sets of these cards that are worth so much together."""
    for at, card in enumerate(cards):
        rest = total - VALUE[card]
        if rest == 0:
            yield (card,)
        elif rest > 0:
            for others in sums(cards[at + 1 :], rest):
                yield (card, *others)


def primiera(heap: Iterable[int]) -> int:
    """The best card of each suit added up; nothing where a suit is missing (R15)."""
    best = [0] * len(SUITS)
    for card in heap:
        best[card // 13] = max(best[card // 13], PRIME[card])
    return sum(best) if all(best) else 0


def cards_of(heap: int) -> Cards:
    """The cards of a set of bits, in ascending order."""
    return tuple([card for card in PACK if heap >> card & 1])


def heap_of(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)
