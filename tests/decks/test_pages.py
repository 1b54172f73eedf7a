"""The list of decks and the page of a deck, by forms alone."""

import re
from html import unescape

import pytest
from django.urls import reverse

from accounts.audit.models import Entry
from accounts.models import User
from cardroom.rules.pazaak.side_cards import READY_MADE, in_order
from decks import selectors, services
from decks.models import Deck, Measurement
from decks.services import request_measurement
from games.simulations.models import Simulation
from tests.decks.conftest import MIXED, PLUSES


def text_of(answer):
    return unescape(answer.content.decode())


def test_newcomers_see_the_ready_made_decks_with_their_characters(browser, db):
    shown = text_of(browser.get("/decks/"))
    assert len(READY_MADE) >= 4
    for deck in READY_MADE:
        assert deck.name in shown
        assert str(deck.description) in shown


def test_the_address_typed_without_its_slash_leads_there(browser):
    answer = browser.get("/decks")
    assert (answer.status_code, answer["Location"]) == (308, "/decks/")


def test_one_click_takes_a_ready_made_deck(browser, db):
    answer = browser.post("/decks/ready-made/daredevil/copy")
    deck = Deck.objects.get()
    assert answer["Location"] == f"/decks/{deck.pk}"
    assert (deck.name, deck.is_default, deck.owner.is_guest) == ("The Daredevil", True, True)
    assert browser.post("/decks/ready-made/nothing/copy").status_code == 404


def test_the_list_shows_ones_own_decks_and_nobody_elses(browsing, ada, ben, deck):
    own, others = browsing(ada).get("/decks/"), browsing(ben).get("/decks/")
    assert f"/decks/{deck.pk}" in text_of(own)
    assert f"/decks/{deck.pk}" not in text_of(others)


def test_a_long_list_has_pages(browsing, ada):
    for number in range(25):
        services.create_deck(owner=ada.pk, name=f"Deck {number}", cards=PLUSES)
    browser = browsing(ada)
    first = browser.get("/decks/")
    second = browser.get("/decks/", {"before": first.context["older"]})
    names = [deck.name for page in (first, second) for deck in page.context["decks"]]
    assert names == [f"Deck {number}" for number in reversed(range(25))]
    assert second.context["older"] is None
    assert browser.get("/decks/", {"before": "rubbish"}).status_code == 200


@pytest.mark.parametrize("typed", ["\r\n".join(MIXED), selectors.encode_deck(MIXED).lower()])
def test_a_deck_is_imported(browser, db, typed):
    browser.post("/decks/import", {"typed": typed, "name": "From Ben"})
    assert [(d.name, tuple(d.cards)) for d in Deck.objects.all()] == [("From Ben", in_order(MIXED))]


def test_a_bad_import_names_the_lines_and_keeps_what_was_typed(browser, db):
    typed = "P1\nQ9\n<b>"
    answer = browser.post("/decks/import", {"typed": typed, "name": "My import"})
    assert answer.status_code == 422
    shown = text_of(answer)
    assert "this one has 3." in shown
    assert "Line 2: 'Q9' is not a side card" in shown
    assert "Line 3: '<B>' is not a side card" in shown
    assert f"{typed}</textarea>" in shown
    assert 'value="My import"' in shown
    assert User.objects.count() == 0


def test_a_deck_says_what_it_can_do(browsing, ada, deck):
    shown = text_of(browsing(ada).get(f"/decks/{deck.pk}"))
    assert "<dd>none for certain: stop in time</dd>" in shown
    assert "<dd>15, 16, 17, 18, 19</dd>" in shown
    assert "<dd>0 of 10</dd>" in shown
    assert "Legal in: All side cards, KotOR, KotOR II." in shown
    assert f'value="{selectors.encode_deck(PLUSES)}"' in shown


def test_a_deck_is_renamed(browsing, ada, deck):
    browser = browsing(ada)
    browser.post(f"/decks/{deck.pk}/rename", {"name": " New  name "})
    deck.refresh_from_db()
    assert deck.name == "New name"
    answer = browser.post(f"/decks/{deck.pk}/rename", {"name": "x" * 41})
    assert answer.status_code == 422
    assert f'value="{"x" * 41}"' in text_of(answer)
    deck.refresh_from_db()
    assert deck.name == "New name"


def test_a_deck_is_copied_and_made_the_default(browsing, ada, deck):
    browser = browsing(ada)
    browser.post(f"/decks/{deck.pk}/copy")
    copy = selectors.of(ada.pk).first()
    assert (copy.name, copy.is_default) == ("Pluses copy", False)
    browser.post(f"/decks/{copy.pk}/default")
    assert [d.is_default for d in selectors.of(ada.pk)] == [True, False]


def test_a_copy_too_many_is_told(browsing, ada, deck, monkeypatch):
    monkeypatch.setattr(services, "MOST_DECKS", 1)
    answer = browsing(ada).post(f"/decks/{deck.pk}/copy")
    assert answer.status_code == 422
    assert "as many decks as one account may have" in text_of(answer)


def test_deleting_asks_first_and_tells_the_code(browsing, ada, deck):
    browser = browsing(ada)
    assert "Yes, delete Pluses" in text_of(browser.get(f"/decks/{deck.pk}"))
    assert browser.get(f"/decks/{deck.pk}/delete")["Location"] == f"/decks/{deck.pk}"
    answer = browser.post(f"/decks/{deck.pk}/delete", follow=True)
    assert not Deck.objects.exists()
    assert selectors.encode_deck(PLUSES) in text_of(answer)


def test_a_deck_is_exported_as_the_import_reads_it(browsing, ada, ben, deck):
    answer = browsing(ada).get(f"/decks/{deck.pk}/text")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    browsing(ben).post("/decks/import", {"typed": answer.content.decode()})
    assert tuple(selectors.of(ben.pk).get().cards) == PLUSES


@pytest.mark.parametrize(
    ("method", "page"),
    [
        ("get", ""),
        ("get", "/text"),
        ("get", "/measured"),
        ("post", "/rename"),
        ("post", "/copy"),
        ("post", "/default"),
        ("post", "/delete"),
        ("post", "/measure"),
    ],
)
def test_the_deck_of_another_is_not_there(browsing, browser, ben, deck, method, page):
    for visitor in (browsing(ben), browser):
        assert getattr(visitor, method)(f"/decks/{deck.pk}{page}").status_code == 404
    assert Deck.objects.get().name == "Pluses"


@pytest.mark.parametrize("page", ["/decks/", "/decks/new", "/decks/{}", "/decks/{}/edit"])
def test_no_page_has_scripts_or_styles_of_its_own(browsing, ada, deck, page):
    shown = browsing(ada).get(page.format(deck.pk)).content.decode()
    assert "<style" not in shown
    assert " style=" not in shown
    assert " onclick" not in shown
    assert all(" src=" in tag.split(">")[0] for tag in shown.split("<script")[1:])


# Operators look, rename what offends and delete; the cards stay their owner's.


def test_decks_are_listed_with_their_cards(operator, deck):
    listed = operator.get(reverse("admin:decks_deck_changelist"), {"q": "ada"}).content.decode()
    assert "Pluses" in listed
    assert not re.search(r"\bP1\b", listed)  # the cards are their owner's


def test_an_operator_renames_and_nothing_else(operator, deck):
    page = reverse("admin:decks_deck_change", args=[deck.pk])
    assert operator.get(page).status_code == 200
    sent = {"name": "Renamed", "cards": "T,T", "is_default": ""}
    assert operator.post(page, sent).status_code == 200  # without a reason
    operator.post(page, {**sent, "reason": "The name was an insult."})
    cards = deck.cards
    deck.refresh_from_db()
    assert (deck.name, deck.cards, deck.is_default) == ("Renamed", cards, True)
    assert Entry.objects.get(action="rename_deck").reason == "The name was an insult."


def test_a_name_taken_is_told_to_operators_too(operator, deck):
    other = Deck.objects.create(owner=deck.owner, name="Other", cards=deck.cards)
    page = reverse("admin:decks_deck_change", args=[other.pk])
    assert operator.post(page, {"name": "PLUSES", "reason": "A test."}).status_code == 200
    other.refresh_from_db()
    assert other.name == "Other"


def test_an_operator_deletes(operator, deck):
    page = reverse("admin:decks_deck_delete", args=[deck.pk])
    operator.post(page, {"post": "yes"})
    assert not Deck.objects.exists()


def test_measurements_are_looked_at_and_deleted_only(operator, ada):
    row = request_measurement(cards=PLUSES, requester=ada)
    assert operator.get(reverse("admin:decks_measurement_changelist")).status_code == 200
    page = reverse("admin:decks_measurement_change", args=[row.pk])
    assert row.code in operator.get(page).content.decode()
    assert operator.get(reverse("admin:decks_measurement_add")).status_code == 403
    assert operator.get(reverse("admin:decks_deck_add")).status_code == 403
    operator.post(reverse("admin:decks_measurement_delete", args=[row.pk]), {"post": "yes"})
    assert not Simulation.objects.exists()


def test_measurements_are_deleted_with_what_was_played_for_them(operator, ada):
    chosen = [request_measurement(cards=cards, requester=ada).pk for cards in (PLUSES, MIXED)]
    sent = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
    operator.post(reverse("admin:decks_measurement_changelist"), sent)
    assert not Measurement.objects.exists()
    assert not Simulation.objects.exists()
