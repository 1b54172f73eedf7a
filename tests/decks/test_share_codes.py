"""A code is the deck: every deck has one, and no slip of the pen is read as another deck."""

from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.pazaak.side_cards import CODES, in_order
from decks.selectors import SYMBOLS, BadCode, decode_deck, encode_deck

DECKS = st.lists(st.sampled_from(CODES), min_size=10, max_size=10)


@given(DECKS)
def test_a_deck_comes_back_from_its_code(cards):
    assert decode_deck(encode_deck(cards)) == in_order(cards)


@given(DECKS, DECKS)
def test_two_decks_have_two_codes(one, other):
    assert (encode_deck(one) == encode_deck(other)) == (in_order(one) == in_order(other))


@given(DECKS, st.randoms())
def test_the_order_of_the_cards_does_not_matter(cards, rng):
    mixed = cards[:]
    rng.shuffle(mixed)
    assert encode_deck(mixed) == encode_deck(cards)


@given(DECKS)
def test_case_spaces_dashes_and_look_alikes_do_not_matter(cards):
    code = encode_deck(cards)
    sloppy = f" {code.lower().replace('-', ' ').replace('1', 'l').replace('0', 'o')} "
    assert decode_deck(sloppy) == in_order(cards)
    assert decode_deck(code.replace("2", "Z").replace("V", "U").replace("1", "I")) == in_order(
        cards
    )


@given(DECKS, st.integers(0, 7), st.sampled_from(SYMBOLS))
def test_one_wrong_symbol_is_found(cards, place, symbol):
    code = list(encode_deck(cards).replace("-", ""))
    if code[place] == symbol:
        return
    code[place] = symbol
    with pytest.raises(BadCode):
        decode_deck("".join(code))


@given(DECKS)
def test_two_symbols_that_changed_places_are_found(cards):
    code = encode_deck(cards).replace("-", "")
    for at, (one, other) in enumerate(pairwise(code)):
        if one != other:
            with pytest.raises(BadCode):
                decode_deck(code[:at] + other + one + code[at + 2 :])


@given(st.text(alphabet=SYMBOLS + "loz -ß", min_size=6, max_size=10) | st.text(max_size=12))
def test_any_text_is_a_deck_of_ten_or_a_bad_code(text):
    with suppress(BadCode):
        assert decode_deck(encode_deck(decode_deck(text))) == decode_deck(text)


@pytest.mark.parametrize("code", ["", "0A4K", "0A4K-T7Q", "0A4K-T7Q22", "0A4K-T7Q!", "YYYY-YYYY"])
def test_what_is_no_code_is_refused(code):
    with pytest.raises(BadCode):
        decode_deck(code)


def test_codes_stay_as_they_are_for_ever():
    """Codes are on paper and in chats: these may never change."""
    assert encode_deck(["P1"] * 10) == "0000-0000"
    assert encode_deck(["T"] * 10) == "3JDB-JR8B"
    assert encode_deck([f"PM{n}" for n in "1122334456"]) == "007N-36V6"
    assert (
        encode_deck(["PM1", "PM2", "PM3", "PM4", "F12", "F16", "F23", "F24", "F35", "F36"])
        == "0V04-BDDN"
    )
    assert (
        encode_deck(["P1", "P1", "M5", "M6", "PM1", "PM1", "PM6", "PM12", "PM12", "D"])
        == "253X-H2CG"
    )
