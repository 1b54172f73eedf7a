"""Sealed shuffles favour no card and no place: counts over many fixed seeds, not luck."""

from collections import Counter
from itertools import permutations
from random import Random

import pytest

from cardroom.rules.cards import pack
from cardroom.rules.shuffles import Sealed, Shuffle, seeded

SEED = bytes(range(32))
MANY = 6000


def chi_square(counts: Counter, kinds: int) -> float:
    expected = counts.total() / kinds
    missing = kinds - len(counts)
    return missing * expected + sum((n - expected) ** 2 / expected for n in counts.values())


@pytest.mark.parametrize("shuffle", [Sealed(SEED), seeded(Random(1))], ids=["sealed", "seeded"])
def test_all_orders_of_four_cards_come_as_often(shuffle: Shuffle):
    orders = Counter(tuple(shuffle("abcd")) for _ in range(MANY))
    assert set(orders) == set(permutations("abcd"))
    assert chi_square(orders, 24) < 49.7  # 23 degrees of freedom: exceeded once in a thousand


@pytest.mark.parametrize("place", [0, 25, 51])
def test_every_card_comes_to_every_place_as_often(place):
    sealed = Sealed(SEED, used=1000 * place)
    cards = Counter(sealed(pack(52))[place] for _ in range(1500))
    assert chi_square(cards, 52) < 87.97  # 51 degrees of freedom: exceeded once in a thousand


@pytest.mark.parametrize("size", [36, 52, 54])
def test_a_shuffled_pack_is_the_whole_pack(size):
    deck = Sealed(SEED)(pack(size))
    assert sorted(deck) == list(pack(size))
    assert tuple(deck) != pack(size)


def test_seeds_and_numbers_give_different_decks():
    decks = {tuple(Sealed(SEED, k)(pack(52))) for k in range(50)}
    decks |= {tuple(Sealed(bytes([n]) * 32)(pack(52))) for n in range(50)}
    assert len(decks) == 100


def test_a_shuffle_leaves_its_pack_alone():
    cards = [1, 2, 3, 4, 5]
    Sealed(SEED)(cards)
    seeded(Random(1))(cards)
    assert cards == [1, 2, 3, 4, 5]
