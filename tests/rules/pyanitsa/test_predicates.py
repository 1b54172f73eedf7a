"""Which card is higher, on plain ints (pyanitsa R3, R8, §2 low_beats_ace and jokers)."""

import pytest

from cardroom.rules.cards import SIX, TWO, parse
from cardroom.rules.pyanitsa.predicates import NO_RANK, highest


@pytest.mark.parametrize(
    ("cards", "low", "places"),
    [
        ("6C 7D", NO_RANK, [1]),
        ("KC KD 7H", NO_RANK, [0, 1]),
        ("7C 7D KH", NO_RANK, [2]),
        ("AC 6D", SIX, [1]),
        ("AC 6D", TWO, [0]),
        ("KC 6D", SIX, [0]),
        ("AC AD 6H 6S", SIX, [2, 3]),
        ("X2 AC 2D", TWO, [0]),
        ("X1 X2", NO_RANK, [0, 1]),
    ],
)
def test_the_highest(cards, low, places):
    assert highest(parse(cards), low, joker_ranks=False) == places


def test_ranked_jokers():
    assert highest(parse("AC X2 X1"), NO_RANK, joker_ranks=True) == [2]
    assert highest(parse("AC X2"), NO_RANK, joker_ranks=True) == [1]
