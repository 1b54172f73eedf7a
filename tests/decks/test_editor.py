"""The deck editor by forms alone: every press keeps what was typed, nothing is lost."""

from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.contrib.messages import get_messages
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from cardroom.rules.pazaak.side_cards import (
    CATALOGUES,
    CODES,
    DECK_SIZE,
    READY_MADE,
    SIDE_CARDS,
    in_order,
    unknown_card,
)
from decks import selectors, services
from decks.draft import COMMANDS, MOST_STEPS, Command, Draft, Edit
from decks.models import Deck
from decks.web import CATALOGUE_NAMES
from tests.decks.conftest import MIXED, PLUSES
from tests.decks.faults import CASES, NAMES

NEW = "/decks/new"


def form(*cards, name="My deck", **pressed):
    return {"name": name, "cards": " ".join(cards), "steps": "", **pressed}


def sent_to(answer):
    """The draft in the address that a press leads to."""
    assert answer.status_code == 302
    query = parse_qs(urlsplit(answer["Location"]).query, keep_blank_values=True)
    return Draft.of({key: values[0] for key, values in query.items()})


def text_of(answer):
    return unescape(answer.content.decode())


def test_the_whole_catalogue_is_shown_with_its_effects(browser, db):
    shown = text_of(browser.get(NEW))
    for card in SIDE_CARDS:
        assert f'name="add" value="{card.code}"' in shown
        assert str(card.effect) in shown
    assert User.objects.count() == 0  # nobody becomes a guest by looking


def test_a_press_adds_a_card_and_keeps_the_name_and_the_box(browser, db):
    answer = browser.post(NEW, form("P1", name="Ünlü & Co", is_default="on", add="M2"))
    draft = sent_to(answer)
    assert draft == Draft("Ünlü & Co", ("P1", "M2"), ("aM2",), is_default=True)
    shown = text_of(browser.get(answer["Location"]))
    assert 'value="Ünlü & Co"' in shown
    assert 'name="is_default" checked' in shown
    assert "2 of 10" in shown
    assert "8 more cards to choose" in shown


def test_a_press_takes_one_copy_out_and_undo_brings_it_back(browser, db):
    draft = sent_to(browser.post(NEW, form("P1", "P1", "M2", remove="P1")))
    assert draft.cards == ("P1", "M2")
    draft = sent_to(browser.post(f"{NEW}", {**form(*draft.cards), "steps": "rP1", "undo": "1"}))
    assert (draft.cards, draft.steps) == (("P1", "P1", "M2"), ())


def test_clearing_is_undone_as_one_step(browser, db):
    cleared = sent_to(browser.post(NEW, form(*MIXED, clear="1")))
    assert cleared.cards == ()
    again = form(*cleared.cards, undo="1") | {"steps": cleared.step_text}
    assert sent_to(browser.post(NEW, again)).cards == in_order(MIXED)


@pytest.mark.parametrize(
    ("pressed", "told"),
    [
        ({"add": "P1"}, "The deck is full: take a card out before you add another."),
        ({"add": "X9"}, str(unknown_card("X9"))),
        ({"remove": "T"}, "That card is not in the deck."),
        ({"undo": "1"}, "There is nothing to undo."),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(browser, db, pressed, told):
    answer = browser.post(NEW, form(*PLUSES, **pressed))
    assert sent_to(answer).cards == PLUSES
    assert [str(each) for each in get_messages(answer.wsgi_request)] == [told]


def test_with_htmx_the_panel_alone_comes_back(browser, db):
    answer = browser.post(NEW, form("P1", add="P1"), headers={"HX-Request": "true"})
    assert answer.status_code == 200
    shown = text_of(answer)
    assert "<html" not in shown
    assert '<span class="count" id="count-P1" hx-swap-oob="true">2' in shown
    assert "+1 added. 2 of 10 cards." in shown
    assert answer["HX-Replace-Url"].startswith(f"{NEW}?name=My+deck&cards=P1+P1&steps=aP1")


@pytest.mark.parametrize("cards", [PLUSES, MIXED, READY_MADE[3].cards])
def test_where_a_deck_is_legal_is_told(browser, db, cards):
    legal = [str(CATALOGUE_NAMES[name]) for name in CATALOGUES if set(cards) <= {*CATALOGUES[name]}]
    shown = text_of(browser.get(NEW, {"cards": " ".join(cards)}))
    assert f"Legal in: {', '.join(legal)}<" in shown


def test_what_a_catalogue_lacks_is_told(browser, db):
    shown = text_of(browser.get(NEW, {"cards": " ".join(MIXED)}))
    assert "<b>KotOR</b> lacks ±1/2, Flip 2 & 4, Double, Tiebreaker ±1" in shown


def test_saving_makes_a_guest_of_a_visitor(browser, db):
    answer = browser.post(NEW, form(*MIXED, save="1"))
    deck = Deck.objects.get()
    assert answer["Location"] == f"/decks/{deck.pk}"
    assert (deck.name, tuple(deck.cards)) == ("My deck", in_order(MIXED))
    assert deck.owner.is_guest
    assert "My deck" in text_of(browser.get(answer["Location"]))


@pytest.mark.parametrize("case", CASES)
def test_a_bad_deck_is_refused_as_by_the_api_and_nothing_is_lost(browsing, ada, keyed, case):
    cards, faults = CASES[case]
    browser = browsing(ada)
    answer = browser.post(NEW, form(*cards, name="Bad <deck>", is_default="on", save="1"))
    api = keyed(ada).post("/api/v1/decks", {"name": "Bad <deck>", "cards": cards})
    assert (answer.status_code, api.status_code) == (422, 422)
    assert answer.context["faults"] == api.json()["faults"] == faults
    shown = text_of(answer)
    assert all(fault in shown for fault in faults)
    assert 'value="Bad <deck>"' in shown
    assert sorted(answer.context["draft"].cards) == sorted(cards)
    assert answer.context["draft"].is_default
    assert not Deck.objects.exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_bad_name_is_refused_and_kept(browsing, ada, name):
    answer = browsing(ada).post(NEW, form(*PLUSES, name=name, save="1"))
    assert answer.status_code == 422
    assert answer.context["faults"] == [NAMES[name]]
    assert answer.context["draft"] == Draft(name, PLUSES)


def test_a_name_taken_is_told_and_kept(browsing, ada, deck):
    answer = browsing(ada).post(NEW, form(*MIXED, name="PLUSES", save="1"))
    assert answer.status_code == 422
    assert "You have a deck of this name already" in text_of(answer)
    assert answer.context["draft"].cards == in_order(MIXED)


def test_a_refused_save_makes_nobody_a_guest(browser, db):
    assert browser.post(NEW, form("P1", save="1")).status_code == 422
    assert User.objects.count() == 0


def test_a_saved_deck_is_changed(browsing, ada, deck):
    browser, address = browsing(ada), f"/decks/{deck.pk}/edit"
    assert browser.get(address).context["draft"].cards == PLUSES
    answer = browser.post(address, form(*PLUSES[1:], name="Pluses", add="T"))
    assert answer["Location"].startswith(f"{address}?")
    assert sent_to(answer).cards == (*PLUSES[1:], "T")
    deck.refresh_from_db()
    assert tuple(deck.cards) == PLUSES  # not before it is saved
    browser.post(address, form(*PLUSES[1:], "T", name="Ups", save="1"))
    deck.refresh_from_db()
    assert (deck.name, tuple(deck.cards), deck.is_default) == ("Ups", (*PLUSES[1:], "T"), False)


def test_the_deck_of_another_is_not_there(browsing, browser, ben, deck):
    for visitor in (browsing(ben), browser):
        for answer in (
            visitor.get(f"/decks/{deck.pk}/edit"),
            visitor.post(f"/decks/{deck.pk}/edit", form(*MIXED, save="1")),
        ):
            assert answer.status_code == 404
    deck.refresh_from_db()
    assert tuple(deck.cards) == PLUSES


def test_a_share_code_in_the_address_fills_the_editor(browser, db):
    shown = browser.get(NEW, {"code": selectors.encode_deck(MIXED).lower()})
    assert shown.context["draft"].cards == in_order(MIXED)
    broken = browser.get(NEW, {"code": "0000-0001"})
    assert "typing error" in text_of(broken)


@pytest.mark.parametrize(
    "tampered",
    [
        {"cards": "A.B .. P1 <script>", "remove": "A.B"},
        {"cards": "P1 " * 500},
        {"steps": "a r xP1 aP1.. rP9999999 aZZ", "undo": "1"},
        {"cards": "x" * 5000, "remove": "x" * 20},
    ],
)
def test_a_tampered_form_breaks_nothing(browser, db, tampered):
    answer = browser.post(NEW, tampered)
    assert answer.status_code == 302
    shown = browser.get(answer["Location"])
    assert shown.status_code == 200
    assert "<script>" not in shown.content.decode().replace("<script src", "")


def test_too_many_decks_are_told_on_the_page(browsing, ada, deck, monkeypatch):
    monkeypatch.setattr(services, "MOST_DECKS", 1)
    answer = browsing(ada).post(NEW, form(*MIXED, save="1"))
    assert "as many decks as one account may have" in text_of(answer)


# A draft and its commands: every one is answered, every change can be undone.

FULL = Draft("Full", PLUSES)


def test_adding_says_which_card_and_goes_on_at_its_kind():
    edit = Draft("Mine", ("P1",)).apply(Command("add", "M2"))
    assert edit.draft == Draft("Mine", ("P1", "M2"), ("aM2",))
    assert (str(edit.message), edit.anchor) == ("−2 added. 2 of 10 cards.", "kind-minus")


def test_a_code_that_is_no_card_can_be_taken_out():
    edit = Draft("Mine", ("P1", "X9")).apply(Command("remove", "X9"))
    assert (edit.draft.cards, str(edit.message)) == (("P1",), "X9 taken out. 1 of 10 cards.")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (Command("add", "P1"), "The deck is full: take a card out before you add another."),
        (Command("add", "X9"), str(unknown_card("X9"))),
        (Command("remove", "T"), "That card is not in the deck."),
        (Command("undo"), "There is nothing to undo."),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(command, message):
    edit = FULL.apply(command)
    assert (edit.draft, str(edit.message), edit.refused) == (FULL, message, True)


@pytest.mark.parametrize("draft", [Draft(), FULL])
def test_no_button_pressed_changes_nothing(draft):
    assert draft.apply(Command.of({"name": "Mine"})) == Edit(draft, "")


def test_the_button_pressed_is_read_from_the_form():
    assert Command.of({"cards": "P1", "remove": "P1"}) == Command("remove", "P1")
    assert Command.of({"cards": "", "undo": "1"}).name == "undo"


COMMAND = st.builds(Command, st.sampled_from(COMMANDS), st.sampled_from(CODES))


@given(st.lists(COMMAND.filter(lambda command: command.name != "undo"), max_size=25))
def test_undo_leads_back_through_every_state(commands):
    drafts = [Draft("n")]
    for command in commands:
        edit = drafts[-1].apply(command)
        assert len(edit.draft.cards) <= DECK_SIZE
        if edit.draft != drafts[-1]:
            assert not edit.refused
            drafts.append(edit.draft)
    assert len(drafts) <= MOST_STEPS
    draft = drafts.pop()
    while drafts:
        query = urlencode(parse_qs(draft.query, keep_blank_values=True), doseq=True)
        assert query == draft.query
        draft = draft.apply(Command("undo")).draft
        assert draft == drafts.pop()
