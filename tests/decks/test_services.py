"""Making, changing, copying and deleting decks: what is kept, what is refused and why."""

from contextlib import suppress
from itertools import pairwise
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.pazaak.side_cards import CODES, READY_MADE, in_order
from decks import selectors, services
from decks.models import Deck
from decks.selectors import SYMBOLS, BadCode, decode_deck, encode_deck
from decks.services import BadDeck, DeckNameTaken, NoSuchDeck, TooManyDecks
from games.matches import opening
from games.matches.joining import open_rematch
from games.matches.models import Seat
from games.matches.refusals import BadDeck as RefusalsBadDeck
from games.matches.refusals import UnknownDeck
from games.matches.seats import SeatRequest
from tests.decks.conftest import MIXED, PLUSES
from tests.decks.faults import CASES, NAMES
from tests.matches.scenes import now, played


def test_a_deck_keeps_its_cards_in_catalogue_order_and_a_tidy_name(ada):
    deck = services.create_deck(owner=ada.pk, name="  My   deck ", cards=MIXED[::-1])
    deck.refresh_from_db()
    assert (deck.name, tuple(deck.cards)) == ("My deck", in_order(MIXED))


def test_the_first_deck_is_the_default_one_and_the_second_is_not(ada):
    first = services.create_deck(owner=ada.pk, name="First", cards=PLUSES)
    second = services.create_deck(owner=ada.pk, name="Second", cards=PLUSES)
    assert (first.is_default, second.is_default) == (True, False)


def test_a_new_default_takes_the_place_of_the_old(ada, deck):
    second = services.create_deck(owner=ada.pk, name="Second", cards=MIXED, is_default=True)
    assert [each.is_default for each in selectors.of(ada.pk)] == [True, False]
    services.update_deck(owner=ada.pk, deck_id=deck.pk, is_default=True)
    second.refresh_from_db()
    assert not second.is_default
    assert selectors.cards(owner=ada.pk, deck=None) == PLUSES


def test_another_owners_default_stays(ada, ben, deck):
    services.create_deck(owner=ben.pk, name="Pluses", cards=MIXED, is_default=True)
    deck.refresh_from_db()
    assert deck.is_default


@pytest.mark.parametrize("case", CASES)
def test_every_fault_of_the_cards_is_named(ada, deck, case):
    cards, faults = CASES[case]
    with pytest.raises(BadDeck) as refused:
        services.create_deck(owner=ada.pk, name="New", cards=cards)
    assert [*map(str, refused.value.sentences)] == faults
    with pytest.raises(BadDeck):
        services.update_deck(owner=ada.pk, deck_id=deck.pk, cards=cards)
    assert [tuple(each.cards) for each in Deck.objects.all()] == [PLUSES]


@pytest.mark.parametrize("name", NAMES)
def test_faults_of_the_name_and_the_cards_are_told_together(ada, name):
    with pytest.raises(BadDeck) as refused:
        services.create_deck(owner=ada.pk, name=name, cards=PLUSES[:9])
    assert [*map(str, refused.value.sentences)] == [NAMES[name], CASES["nine cards"][1][0]]


def test_a_name_is_taken_without_regard_to_case(ada, ben, deck):
    with pytest.raises(DeckNameTaken):
        services.create_deck(owner=ada.pk, name="PLUSES", cards=MIXED)
    other = services.create_deck(owner=ada.pk, name="Other", cards=MIXED)
    with pytest.raises(DeckNameTaken):
        services.update_deck(owner=ada.pk, deck_id=other.pk, name="pluses", is_default=True)
    deck.refresh_from_db()
    assert deck.is_default  # nothing of the refused change was kept
    assert services.create_deck(owner=ben.pk, name="Pluses", cards=MIXED).name == "Pluses"


def test_a_deck_may_change_the_case_of_its_own_name(ada, deck):
    assert services.update_deck(owner=ada.pk, deck_id=deck.pk, name="PLUSES").name == "PLUSES"


def test_a_change_is_dated(ada, deck):
    changed = services.update_deck(owner=ada.pk, deck_id=deck.pk, cards=MIXED)
    deck.refresh_from_db()
    assert changed.updated_at == deck.updated_at > deck.created_at


@pytest.mark.parametrize("write", [services.update_deck, services.delete_deck, services.copy_deck])
def test_nobody_writes_the_deck_of_another(ben, deck, write):
    for deck_id in (deck.pk, uuid4()):
        with pytest.raises(NoSuchDeck):
            write(owner=ben.pk, deck_id=deck_id)
    assert Deck.objects.count() == 1


def test_copies_get_names_of_their_own(ada, deck):
    names = [services.copy_deck(owner=ada.pk, deck_id=deck.pk).name for _ in range(3)]
    assert names == ["Pluses copy", "Pluses copy 2", "Pluses copy 3"]


def test_a_copy_of_a_long_name_fits(ada):
    deck = services.create_deck(owner=ada.pk, name="n" * 40, cards=PLUSES)
    names = [services.copy_deck(owner=ada.pk, deck_id=deck.pk).name for _ in range(2)]
    assert names == ["n" * 38 + " 2", "n" * 38 + " 3"]


def test_every_ready_made_deck_can_be_copied_twice(ada):
    for ready in READY_MADE:
        copies = [services.copy_ready_made(owner=ada.pk, slug=ready.slug) for _ in range(2)]
        assert [copy.name for copy in copies] == [ready.name, f"{ready.name} 2"]
        assert tuple(copies[0].cards) == in_order(ready.cards)


def test_an_unknown_ready_made_deck_is_refused(ada):
    with pytest.raises(NoSuchDeck):
        services.copy_ready_made(owner=ada.pk, slug="nothing")


def test_an_owner_has_so_many_decks_and_no_more(ada, monkeypatch):
    monkeypatch.setattr(services, "MOST_DECKS", 2)
    for name in ("One", "Two"):
        services.create_deck(owner=ada.pk, name=name, cards=PLUSES)
    with pytest.raises(TooManyDecks) as refused:
        services.create_deck(owner=ada.pk, name="Three", cards=PLUSES)
    assert refused.value.extras == {"limit": 2}


@pytest.mark.parametrize(
    ("fact", "values"),
    [
        ("deck_has_ten_cards", {"cards": PLUSES[:9]}),
        ("deck_has_known_cards_only", {"cards": [*PLUSES[:9], "X9"]}),
        ("deck_has_a_name", {"name": ""}),
        ("deck_name_is_unique_regardless_of_case", {"name": "PLUSES"}),
        ("owner_has_one_default_deck", {"is_default": True}),
    ],
)
def test_the_database_says_no_too(ada, deck, fact, values):
    row = {"owner": ada, "name": "Other", "cards": list(PLUSES)} | values
    with pytest.raises(IntegrityError, match=fact), transaction.atomic():
        Deck.objects.create(**row)


def test_a_code_brings_its_cards_under_the_name_given_or_a_free_one(ada):
    code = selectors.encode_deck(MIXED)
    named = services.from_code(owner=ada.pk, code=code.lower(), name="From Ben")
    assert (named.name, tuple(named.cards)) == ("From Ben", in_order(MIXED))
    names = [services.from_code(owner=ada.pk, code=code).name for _ in range(2)]
    assert names == ["Imported deck", "Imported deck 2"]


def test_a_mistyped_code_is_told(ada):
    code = selectors.encode_deck(MIXED)
    with pytest.raises(BadDeck, match="typing error"):
        services.from_code(owner=ada.pk, code=code[:-1] + ("0" if code[-1] != "0" else "1"))


def test_a_text_has_a_code_a_line_spelled_as_people_do(ada):
    text = "pm1\n\n PM2 \npm3\r\nPM4\nM5\nM6\nPM12\nf42\nd\nt\n"
    assert tuple(services.from_text(owner=ada.pk, text=text).cards) == in_order(MIXED)


def test_each_fault_of_a_text_is_named_with_its_line(ada):
    with pytest.raises(BadDeck) as refused:
        services.from_text(owner=ada.pk, text="P1\n\nP7\nF44\nP2")
    strange = "is not a side card; they are written like P3, M3, PM3, PM12, F24, D and T."
    assert [*map(str, refused.value.sentences)] == [
        "A side deck has exactly 10 cards; this one has 4.",
        f"Line 3: 'P7' {strange}",
        f"Line 4: 'F44' {strange}",
    ]
    assert not Deck.objects.exists()


@pytest.mark.parametrize("sep", ["\n", "\r\n", "\n\n"])
def test_one_field_takes_a_code_or_a_text(ada, sep):
    assert services.read_either(sep.join(MIXED)) == MIXED
    assert services.read_either(f" {selectors.encode_deck(MIXED)} ") == in_order(MIXED)


# A code is the deck: every deck has one, and no slip of the pen is read as another deck.

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


# A match keeps its own copy: what becomes of the saved deck changes nothing in it (pazaak R2).


def opened(owner, deck, **rules):
    wishes = [SeatRequest(kind="me", deck=str(deck.pk)), SeatRequest(kind="local", name="Twin")]
    return opening.open_match(creator=owner, game="pazaak", seats=wishes, **rules)


def brought(match):
    return tuple(Seat.objects.get(match_id=match.id, index=0).side_deck)


@pytest.mark.parametrize("fate", ["edited", "deleted"])
def test_a_running_match_never_notices(ada, deck, fate):
    match = opened(ada, deck)
    before = now(match).state
    if fate == "edited":
        services.update_deck(owner=ada.pk, deck_id=deck.pk, cards=MIXED, name="Other")
    else:
        services.delete_deck(owner=ada.pk, deck_id=deck.pk)
    assert now(match).state == before
    assert brought(match) == PLUSES
    over = played(match)
    assert over.status == "finished"
    spent = {code for half in over.state.halves for code in half.played}
    assert spent <= set(PLUSES)
    assert brought(match) == PLUSES


def test_a_rematch_brings_the_same_copy(ada, deck):
    match = played(opened(ada, deck))
    services.delete_deck(owner=ada.pk, deck_id=deck.pk)
    again = open_rematch(match_id=match.id, user=ada)
    decks_brought = {tuple(seat.side_deck) for seat in Seat.objects.filter(match_id=again.id)}
    assert PLUSES in decks_brought


def test_the_default_deck_is_brought_unless_another_is_named(ada, deck):
    services.create_deck(owner=ada.pk, name="Mixed", cards=MIXED, is_default=True)
    wishes = [SeatRequest(kind="me"), SeatRequest(kind="local", name="Twin")]
    match = opening.open_match(creator=ada, game="pazaak", seats=wishes)
    assert sorted(brought(match)) == sorted(MIXED)


def test_a_deck_that_the_match_does_not_allow_is_refused_with_its_faults(ada):
    deck = services.create_deck(owner=ada.pk, name="Mixed", cards=MIXED)
    with pytest.raises(RefusalsBadDeck) as refused:
        opened(ada, deck, options={"catalogue": "kotor1"})
    assert [*map(str, refused.value.sentences)] == [
        "PM12 (±1/2) is not in the catalogue 'kotor1'.",
        "F24 (Flip 2 & 4) is not in the catalogue 'kotor1'.",
        "D (Double) is not in the catalogue 'kotor1'.",
        "T (Tiebreaker ±1) is not in the catalogue 'kotor1'.",
    ]


def test_a_match_limits_copies(ada, deck):
    with pytest.raises(RefusalsBadDeck) as refused:
        opened(ada, deck, options={"max_copies": 1})
    assert str(refused.value.sentences[0]) == "P1 (+1) is in the deck 2 times; 1 allowed."


def test_nobody_brings_the_deck_of_another(ben, deck):
    with pytest.raises(UnknownDeck):
        opened(ben, deck)
