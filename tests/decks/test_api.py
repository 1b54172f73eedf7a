"""The deck calls as a client meets them."""

from uuid import uuid4

import pytest

from cardroom.rules.pazaak.side_cards import CODES
from decks import services
from decks.models import Deck
from tests.decks.conftest import MIXED, PLUSES

DECKS = "/api/v1/decks"


def refused(answer):
    assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def test_the_catalogue_is_the_full_one_unless_asked_and_no_other_exists(api, db):
    assert len(api.get(f"{DECKS}/cards").json()) == len(CODES)
    assert refused(api.get(f"{DECKS}/cards?catalogue=kotor3")) == (400, "malformed")


def test_decks_are_listed_a_page_at_a_time_and_only_the_callers(ada, ben, keyed):
    for number in range(5):
        services.create_deck(owner=ada.pk, name=f"Deck {number}", cards=PLUSES)
    services.create_deck(owner=ben.pk, name="Secret", cards=MIXED)
    client, address, names = keyed(ada), f"{DECKS}?limit=2", []
    while address:
        page = client.get(address).json()
        assert len(page["results"]) <= 2
        names += [deck["name"] for deck in page["results"]]
        address = page["next"]
    assert names == [f"Deck {number}" for number in reversed(range(5))]


def test_put_gives_a_deck_anew_and_patch_changes_a_part(ada, deck, keyed):
    client, address = keyed(ada), f"{DECKS}/{deck.pk}"
    assert client.patch(address, {"name": "Ups"}).json()["cards"] == list(PLUSES)
    assert client.patch(address, {"cards": MIXED}).json()["name"] == "Ups"
    put = client.put(address, {"name": "Again", "cards": PLUSES}).json()
    assert (put["name"], tuple(put["cards"]), put["is_default"]) == ("Again", PLUSES, True)
    assert client.patch(address, {"is_default": False}).json()["is_default"] is False
    assert refused(client.put(address, {"name": "Half"})) == (400, "malformed")


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
def test_the_deck_of_another_is_not_there(ben, deck, keyed, method):
    for deck_id in (deck.pk, uuid4()):
        body = {"name": "Mine", "cards": MIXED}
        assert refused(getattr(keyed(ben), method)(f"{DECKS}/{deck_id}", body)) == (
            404,
            "not_found",
        )
    deck.refresh_from_db()
    assert (deck.name, tuple(deck.cards)) == ("Pluses", PLUSES)


def test_too_many_decks_are_told(ada, deck, keyed, monkeypatch):
    monkeypatch.setattr(services, "MOST_DECKS", 1)
    answer = keyed(ada).post(DECKS, {"name": "Other", "cards": MIXED})
    assert refused(answer) == (409, "too_many_decks")
    assert answer.json()["limit"] == 1


def test_a_bad_import_names_the_line(ada, keyed):
    answer = keyed(ada).post(f"{DECKS}/import", {"text": "\n".join([*PLUSES[:9], "Q1"])})
    assert refused(answer) == (422, "bad_deck")
    assert [fault.split(" is ")[0] for fault in answer.json()["faults"]] == ["Line 10: 'Q1'"]
    assert refused(keyed(ada).post(f"{DECKS}/import", {"code": "0000"})) == (422, "bad_deck")


@pytest.mark.parametrize(
    ("call", "body"),
    [
        ("", {"name": "A", "cards": ["P1"] * 101}),
        ("/import", {}),
        ("/import", {"code": "0", "text": "P1"}),
        ("/import", {"text": "P1\n" * 2000}),
        ("/import", {"name": "A"}),
    ],
)
def test_what_has_no_shape_is_malformed(ada, keyed, call, body):
    assert refused(keyed(ada).post(f"{DECKS}{call}", body)) == (400, "malformed")
    assert not Deck.objects.exists()


@pytest.mark.parametrize(
    ("method", "call"),
    [
        ("get", ""),
        ("post", ""),
        ("post", "/import"),
        ("delete", "/0193e8a2-7a1c-7000-8000-000000000000"),
    ],
)
def test_nobody_is_told_to_sign_in(api, db, method, call):
    assert refused(getattr(api, method)(f"{DECKS}{call}")) == (401, "not_authenticated")
