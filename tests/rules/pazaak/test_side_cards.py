"""The catalogue and what makes a side deck legal (pazaak §0, R2)."""

from collections import Counter

import pytest

from cardroom.rules.pazaak import side_cards
from cardroom.rules.pazaak.side_cards import CATALOGUES, CODES, READY_MADE, SIDE_CARDS, faults

PLAIN = ("P1",) * 10


def test_there_are_36_types_in_seven_kinds():
    kinds = Counter(card.kind for card in SIDE_CARDS)
    assert len(set(CODES)) == 36
    assert list(kinds.values()) == [6, 6, 6, 1, 15, 1, 1]
    assert CODES[18:22] == ("PM12", "F12", "F13", "F14")
    assert CODES[-3:] == ("F56", "D", "T")


def test_catalogues_hold_what_the_original_games_had():
    sizes = {name: len(codes) for name, codes in CATALOGUES.items()}
    assert sizes == {"full": 36, "kotor1": 18, "kotor2": 23}
    assert set(CATALOGUES["kotor2"]) - set(CATALOGUES["kotor1"]) == {"PM12", "F24", "F36", "D", "T"}


@pytest.mark.parametrize(
    ("cards", "limits", "named"),
    [
        (PLAIN[:9], {}, ["9"]),
        ((*PLAIN, "P2"), {}, ["11"]),
        (("P7", *PLAIN[1:]), {}, ["'P7'"]),
        (("F42", *PLAIN[1:]), {}, ["'F42'"]),
        (("F12", *PLAIN[1:]), {"catalogue": "kotor2"}, ["F12"]),
        (PLAIN, {"max_copies": 9}, ["P1"]),
        (("X" * 500, "T", "P1"), {"catalogue": "kotor1", "max_copies": 1}, ["3", "'XXX", "T"]),
    ],
)
def test_every_fault_of_a_deck_is_named(cards, limits, named):
    found = faults(cards, **limits)
    assert len(found) == len(named)
    for sentence, word in zip(map(str, found), named, strict=True):
        assert word in sentence
        assert len(sentence) < 150


def test_a_legal_deck_has_no_fault():
    assert faults(PLAIN) == ()
    assert faults(PLAIN, "kotor1", 10) == ()


@pytest.mark.parametrize(
    ("cards", "names"),
    [
        (PLAIN, ("full", "kotor1", "kotor2")),
        (("T", *PLAIN[1:]), ("full", "kotor2")),
        (("F12", *PLAIN[1:]), ("full",)),
        (PLAIN[:9], ()),
    ],
)
def test_legal_catalogues_of_a_deck(cards, names):
    assert side_cards.legal_catalogues(cards) == names


def test_ready_made_decks_are_legal_unlike_and_described():
    assert len(READY_MADE) >= 4
    assert len({deck.slug for deck in READY_MADE}) == len(READY_MADE)
    for deck in READY_MADE:
        assert faults(deck.cards) == ()
        assert deck.cards == side_cards.in_order(deck.cards)
        assert deck.name
        assert str(deck.description)
    assert len({deck.cards for deck in READY_MADE}) == len(READY_MADE)
