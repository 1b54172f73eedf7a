"""Hands as sets of bits, the weakest card lowest.

A card of a world has a place from 0 to 51: three plain suits a rank, then the trumps. So the lowest
bit of a hand is its cheapest card, and what beats what is the same whichever suit is trumps.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from cardroom.rules.cards import CARD, JACK, RANK, TEXT
from cardroom.rules.values import Card
from durak_cardroom.predicates import beats, fits

PLAIN: Final = (1 << 39) - 1
CLUBS: Final = 0  # trumps in the table below; any suit would do


@cache
def places(trumps: int) -> tuple[int, ...]:
    """The place of each card of the pack."""
    plain = [suit for suit in range(4) if suit != trumps]
    return tuple(
        [
            39 + RANK[card] if card // 13 == trumps else 3 * RANK[card] + plain.index(card // 13)
            for card in range(52)
        ]
    )


@cache
def codes(trumps: int) -> tuple[str, ...]:
    """The card at each place."""
    at = places(trumps)
    return tuple([TEXT[at.index(place)] for place in range(52)])


def bits(cards: Iterable[str], trumps: int) -> int:
    at = places(trumps)
    return sum([1 << place for place in {at[CARD[code]] for code in cards}])


def _cards() -> list[Card]:
    """The card at each place where clubs are trumps."""
    return [places(CLUBS).index(place) for place in range(52)]


def _set(holds: Iterable[bool]) -> int:
    return sum([1 << place for place, one in enumerate(holds) if one])


BEATEN_BY: Final = tuple([_set(beats(c, other, CLUBS) for c in _cards()) for other in _cards()])
OF_RANK: Final = tuple([_set(fits(c, [other]) for c in _cards()) for other in _cards()])
LOW: Final = _set(RANK[card] < JACK for card in _cards()) & PLAIN  # good riddance


def cheapest(cards: int) -> int:
    """The place of the weakest card; -1 of none."""
    return (cards & -cards).bit_length() - 1
