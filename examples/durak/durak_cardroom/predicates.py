"""Facts about cards on plain numbers."""

from collections.abc import Iterable, Sequence
from typing import Final

from cardroom.rules.cards import ACE, NINE, RANK, SIX, TEN, TEXT, TWO, pack

LOWEST: Final = {24: NINE, 36: SIX, 52: TWO}
PACKS: Final = {
    size: tuple([card for card in pack(52) if RANK[card] >= lowest])
    for size, lowest in LOWEST.items()
}
HIGH: Final = range(TEN, ACE + 1)


def suit(card: int) -> int:
    return card // 13


def beats(card: int, other: int, trumps: int) -> bool:
    """R8: whether ``card`` beats ``other`` while this suit is trumps."""
    if suit(card) == suit(other):
        return RANK[card] > RANK[other]
    return suit(card) == trumps


def strength(card: int, trumps: int) -> tuple[bool, int, int]:
    """The order of a hand: by rank, trumps last."""
    return (suit(card) == trumps, RANK[card], card)


def by_strength(cards: Iterable[int], trumps: int) -> tuple[int, ...]:
    return tuple(sorted(cards, key=lambda card: strength(card, trumps)))


def fits(card: int, table: Iterable[int]) -> bool:
    """R10: a card of its rank lies there."""
    return any(RANK[card] == RANK[other] for other in table)


def lowest_trump(hands: Sequence[Sequence[int]], trumps: int) -> int | None:
    """R5: the lowest trump that is in a hand."""
    held = [card for hand in hands for card in hand if suit(card) == trumps]
    return min(held, default=None)  # of one suit: by rank


def card_set(cards: Iterable[int]) -> int:
    """Card c as bit 1 << c."""
    return sum([1 << card for card in cards])


def codes(cards: int) -> frozenset[str]:
    return frozenset(TEXT[card] for card in range(52) if cards >> card & 1)
