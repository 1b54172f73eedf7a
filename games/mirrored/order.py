"""The order in which the matches of a set are played: drawn by lot, no match beside its twin."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random, SystemRandom
from typing import Final, NamedTuple

LEAST_PAIRS: Final = 3  # of two pairs the third match would always be the twin of the first
MOST_PAIRS: Final = 8

_chance = SystemRandom()


class Place(NamedTuple):
    """A match of a set: of which pair, and whether its sides are swapped."""

    pair: int
    is_swapped: bool


def drawn_order(pairs: int, chance: Random = _chance) -> list[Place]:
    """Every order without twins beside each other is as likely as any other.

    The first match is never swapped: it is the one that people sit down to. Pairs are numbered as
    they come.
    """
    places = [Place(pair, swapped) for pair in range(pairs) for swapped in (False, True)]
    while True:
        chance.shuffle(places)
        if _are_apart(places):
            return _numbered(places)


def _are_apart(places: Sequence[Place]) -> bool:
    return all(one.pair != other.pair for one, other in pairwise(places))


def _numbered(places: Sequence[Place]) -> list[Place]:
    numbers = list(dict.fromkeys(place.pair for place in places))
    return [
        Place(numbers.index(pair), is_swapped != places[0].is_swapped)
        for pair, is_swapped in places
    ]
