"""The deck doctor over the API and on its page: a measurement that says more (issue 58.11)."""

from html import unescape

import msgspec
import pytest

from cardroom.arena import compiled_code, doctor
from cardroom.arena.doctor import Diagnosis
from cardroom.arena.request import Part
from cardroom.rules.pazaak.side_cards import STARTER
from decks import selectors, services
from decks.models import Measurement
from games.simulations import work
from games.simulations.models import Simulation
from tests.decks.conftest import MIXED, PLUSES

pytestmark = pytest.mark.django_db
RIVAL = selectors.encode_deck(MIXED)


@pytest.fixture(autouse=True)
def few_deals(monkeypatch):
    monkeypatch.setattr(compiled_code, "installed", lambda: False)
    monkeypatch.setattr(doctor, "FEW_DEALS", 20)
    monkeypatch.setattr(doctor, "SHARES", (20, 10, 2, 10))
    monkeypatch.setattr(doctor, "KEPT", (4, 2))


def played():
    while work.run_parts_for_a_while():
        pass
    simulation = Simulation.objects.get()
    assert simulation.status == "finished", simulation.fault
    return simulation


def test_it_is_asked_for_and_read_over_the_api(ada, deck, keyed):
    """Its diagnosis is the library's for the same request."""
    api, here = keyed(ada), f"/api/v1/decks/{deck.pk}/doctor"
    wishes = {"rivals": [RIVAL], "seed": 3}
    assert api.get(f"{here}?rivals={RIVAL}&seed=3").status_code == 404
    begun = api.post(here, wishes, format="json")
    assert begun.status_code == 202
    asked = doctor.describe(PLUSES, [MIXED], seed=3)
    assert begun.json()["games"] == doctor.matches_of(asked)
    assert (begun.json()["status"], begun.json()["diagnosis"]) == ("running", None)
    assert api.get(begun.json()["links"]["self"]).json() == begun.json()
    played()
    found = api.get(begun.json()["links"]["self"]).json()
    whole = doctor.run_until(asked, Part(0, 1), lambda: False)
    assert found["diagnosis"] == msgspec.json.decode(msgspec.json.encode(whole))
    assert (found["status"], found["played"]) == ("finished", found["games"])
    assert api.post(here, wishes, format="json").json() == found
    assert Simulation.objects.count() == 1
    other = api.post(here, wishes | {"seed": 4}, format="json").json()
    assert other["status"] == "running"


def test_progress_is_told_while_its_one_part_is_played(ada, deck, monkeypatch):
    services.request_examination(
        cards=deck.cards, requester=ada, field=services.DoctorField(rivals=(RIVAL,))
    )
    monkeypatch.setattr(work, "SECONDS_A_PART", 0)
    told = []
    for _ in range(3):
        work._try(work._claim_part())
        told.append(Simulation.objects.get().played)
    assert 0 < told[0] < told[1] < told[2]
    assert played().played == Simulation.objects.get().games


def test_it_is_nobodys_and_keeps_decks_to_itself(ada, deck, keyed, browsing):
    field = services.DoctorField(rivals=(RIVAL,))
    row = services.request_examination(cards=deck.cards, requester=ada, field=field)
    assert (row.simulation.owner, row.simulation.requester) == (None, ada)
    assert keyed(ada).get("/api/v1/simulations").json()["results"] == []
    assert selectors.measurement(row.code) is None  # how often it wins was not asked


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({"rivals": ["0000-0001"]}, 422, "typing error"),
        ({"rivals": ["P1"]}, 422, "8 letters and digits"),
        ({"rivals": [RIVAL] * 9}, 400, "rivals"),
        ({"field": "everybody"}, 400, "field"),
        ({"seed": -1}, 400, "seed"),
        ({"deals": 10**9}, 400, "deals"),
    ],
)
def test_what_cannot_be_examined_is_refused(ada, deck, keyed, body, status, word):
    answer = keyed(ada).post(f"/api/v1/decks/{deck.pk}/doctor", body, format="json")
    assert answer.status_code == status
    assert word in answer.content.decode()
    assert not Simulation.objects.exists()


def test_it_counts_as_a_measurement_and_old_ones_are_forgotten(
    ada, ben, deck, keyed, settings, monkeypatch
):
    settings.LIMITS = settings.LIMITS | {"measurements": 2}
    monkeypatch.setattr(services, "MOST_EXAMINATIONS", 1)
    api, here = keyed(ada), f"/api/v1/decks/{deck.pk}/doctor"
    services.request_measurement(cards=deck.cards, requester=ada)
    assert api.post(here, {}, format="json").status_code == 202
    refused = api.post(here, {"field": "house"}, format="json")
    assert refused.json()["type"].endswith("too_many_measurements")
    Simulation.objects.update(status="cancelled")
    assert api.post(here, {"field": "house"}, format="json").status_code == 202
    kept = Measurement.objects.values_list("against", flat=True)
    assert set(kept) == {selectors.terms()["against"], "house 1"}
    assert keyed(ben).post(here, {}, format="json").status_code == 404


def test_the_page_asks_shows_progress_and_then_all_that_was_found(browsing, ada, deck):
    browser, here = browsing(ada), f"/decks/{deck.pk}/doctor"
    assert here in browser.get(f"/decks/{deck.pk}").content.decode()
    assert "Examine it" in browser.get(here).content.decode()
    sent = browser.post(here, {"field": "rivals", "rivals": RIVAL.lower(), "seed": "7"})
    address = sent["Location"].partition("#")[0]
    assert address == f"{here}?rivals={RIVAL}&seed=7"
    assert 'hx-trigger="every 1s"' in browser.get(address).content.decode()
    simulation = played()
    found = msgspec.json.decode(bytes(simulation.report), type=Diagnosis)
    page = unescape(browser.get(address).content.decode())
    assert "hx-trigger" not in page
    assert f"+{100 * found.swaps[0].gain.value:.1f}" in page
    assert f"{100 * found.score.value:.1f} % of its matches" in page
    assert page.count('<svg class="interval"') == len(found.swaps) + len(found.cards)
    assert page.count('class="is-even"') >= len(found.decks)  # each against itself
    for deck_name in ("Pluses", RIVAL):
        assert deck_name in page
    assert "style=" not in page
    assert "<script>" not in page
    part = browser.get(address, headers={"HX-Request": "true"}).content.decode()
    assert '<div id="findings"' in part
    assert "<html" not in part


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"field": "rivals", "rivals": ""}, "Name the code of a rival's deck"),
        ({"field": "rivals", "rivals": "0000-0001"}, "typing error"),
        ({"field": "rivals", "rivals": ",".join([RIVAL] * 9)}, "at most 8 rivals"),
        ({"field": "everybody"}, "everybody"),
        ({"field": "public", "seed": "many"}, "whole number"),
        ({"field": "public", "seed": "-3"}, "greater than or equal to 0"),
        ({"field": "public", "seed": str(2**60)}, "less than or equal to"),
    ],
)
def test_the_page_says_what_is_wrong_and_keeps_what_was_typed(browsing, ada, deck, form, words):
    for method in ("post", "get"):
        answer = getattr(browsing(ada), method)(f"/decks/{deck.pk}/doctor", form)
        assert answer.status_code == 422
        assert words in unescape(answer.content.decode())
    assert not Simulation.objects.exists()


def test_the_deck_of_another_is_not_there(browsing, browser, ben, deck):
    for visitor in (browsing(ben), browser):
        assert visitor.get(f"/decks/{deck.pk}/doctor").status_code == 404
    assert browsing(ben).post(f"/decks/{deck.pk}/doctor", {}).status_code == 404


def test_operators_see_no_deck_of_it(operator, ada):
    field = services.DoctorField(rivals=(RIVAL,))
    row = services.request_examination(cards=STARTER, requester=ada, field=field)
    page = operator.get(f"/admin/games/simulation/{row.simulation_id}/change/").content.decode()
    assert "10, not shown" in page
    assert "PM12" not in page
