"""Making, changing, copying and deleting decks: what is kept, what is refused and why."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from cardroom.rules.pazaak.side_cards import READY_MADE, in_order
from decks import selectors, services
from decks.models import Deck
from decks.services import BadDeck, DeckNameTaken, NoSuchDeck, TooManyDecks
from tests.decks.conftest import MIXED, PLUSES
from tests.decks.faults import CASES, NAMES


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
