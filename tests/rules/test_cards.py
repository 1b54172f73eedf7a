"""Cards as ints and as text (FORMAT.md §1: packs in canonical order)."""

import pytest

from cardroom.rules.cards import CARD, JOKER, RANK, TEXT, X1, X2, pack, parse, pretty, text, texts

WHOLE = " ".join(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")


def test_the_whole_pack_in_canonical_order():
    assert " ".join(texts(pack(52))) == WHOLE


def test_the_short_pack_begins_with_the_six():
    short = texts(pack(36))
    assert short[:9] == ("6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC")
    assert short == tuple(code for code in WHOLE.split() if code[0] not in "2345")


def test_jokers_come_last():
    assert texts(pack(54)) == (*WHOLE.split(), "X1", "X2")
    assert (TEXT[X1], TEXT[X2]) == ("X1", "X2")


@pytest.mark.parametrize("size", [0, 35, 53, 55])
def test_other_packs_are_unknown(size):
    with pytest.raises(ValueError, match=f"no pack of {size} cards; packs have 36, 52 or 54"):
        pack(size)


@pytest.mark.parametrize("card", range(54))
def test_text_and_card_are_one(card):
    assert CARD[text(card)] == card
    assert parse(text(card)) == (card,)


def test_ranks_ignore_the_suit():
    assert {RANK[CARD["T" + suit]] for suit in "CDHS"} == {8}
    assert RANK[CARD["2C"]] < RANK[CARD["TD"]] < RANK[CARD["JC"]] < RANK[CARD["AS"]]
    assert RANK[X1] == RANK[X2] == JOKER


def test_cards_are_parsed_in_their_order():
    assert texts(parse("7H TD X2 2C")) == ("7H", "TD", "X2", "2C")
    assert parse("") == ()


@pytest.mark.parametrize("code", ["1H", "7h", "10H", "H7", "X3"])
def test_an_unknown_code_is_named(code):
    with pytest.raises(ValueError, match=f"{code!r} is not a card"):
        parse(f"7H {code} 2C")


@pytest.mark.parametrize(
    ("code", "written"),
    [("7H", "7♥"), ("TD", "10♦"), ("2C", "2♣"), ("AS", "A♠"), ("X2", "Joker 2")],
)
def test_cards_as_people_write_them(code, written):
    assert pretty(code) == written
