"""Operators look, rename what offends and delete; the cards stay their owner's."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.audit.models import Entry
from accounts.models import User
from decks.models import Deck, Measurement
from decks.services import request_measurement
from games.simulations.models import Simulation
from tests.decks.conftest import MIXED, PLUSES


@pytest.fixture
def operator(db):
    browser = Client()
    browser.force_login(User.objects.create_superuser("root", password="a long and quiet evening"))
    return browser


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
