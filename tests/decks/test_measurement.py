"""Measuring a deck: a simulation of it, shared by all decks of the same cards."""

from html import unescape

import pytest

from cardroom.arena.request import Part, run_part
from cardroom.arena.statistics import wilson
from cardroom.rules.pazaak.side_cards import STARTER
from decks import selectors, services
from decks.models import Measurement
from decks.services import TooManyMeasurements, forget_measurements, request_measurement
from games.simulations import work
from games.simulations.models import Simulation, SimulationPicture
from games.simulations.work import request_of
from tests.decks.conftest import MIXED, PLUSES

CODE = selectors.encode_deck(PLUSES)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def few_matches(monkeypatch):
    monkeypatch.setattr(services, "MATCHES", 60)


def played(row):
    while work.run_parts_for_a_while():
        pass
    row.simulation.refresh_from_db()
    assert row.simulation.status == "finished", row.simulation.fault
    return selectors.measurement(row.code)


def test_a_deck_is_measured_against_the_reference_deck_with_the_same_bot_at_either_seat(ada):
    row = request_measurement(cards=PLUSES[::-1], requester=ada)
    request = request_of(row.simulation)
    assert request.side_decks == (PLUSES, selectors.REFERENCE)
    assert (request.bots, request.games, request.swap) == (("gambler", "gambler"), 60, True)
    assert (row.code, row.against) == (CODE, selectors.encode_deck(selectors.REFERENCE))


def test_it_is_nobodys_and_counts_in_nobodys_limit(ada, keyed, browsing):
    row = request_measurement(cards=PLUSES, requester=ada)
    assert row.simulation.owner is None
    assert keyed(ada).get("/api/v1/simulations").json()["results"] == []
    here = f"/simulations/{row.simulation_id}"
    assert keyed(ada).get(f"/api/v1{here}").status_code == 404
    for browser in (browsing(ada), type(browsing(ada))()):
        assert browser.get(here).status_code == 404
        assert browser.post(f"{here}/cancel").status_code == 404
        assert here not in browser.get("/simulations").content.decode()
    assert Simulation.objects.get().status == "running"


def test_equal_decks_share_a_measurement(ada):
    rows = [request_measurement(cards=cards, requester=ada) for cards in (PLUSES, PLUSES[::-1])]
    assert rows[0].pk == rows[1].pk
    assert Simulation.objects.count() == 1


def test_only_so_many_are_measured_at_once(ada, ben, settings):
    settings.LIMITS = settings.LIMITS | {"measurements": 1}
    row = request_measurement(cards=PLUSES, requester=ada)
    with pytest.raises(TooManyMeasurements):
        request_measurement(cards=MIXED, requester=ada)
    assert request_measurement(cards=PLUSES, requester=ada).pk == row.pk
    assert request_measurement(cards=STARTER, requester=ben).simulation.status == "running"
    played(row)
    assert request_measurement(cards=MIXED, requester=ada).simulation.status == "running"


def test_a_finished_measurement_is_not_made_again(ada):
    row = played(request_measurement(cards=PLUSES, requester=ada))
    assert request_measurement(cards=PLUSES, requester=ada) == row
    assert Simulation.objects.count() == 1
    assert not SimulationPicture.objects.exists()  # nobody looks at them


@pytest.mark.parametrize("status", ["failed", "cancelled"])
def test_one_that_did_not_come_to_an_end_is_made_again(ada, status):
    row = request_measurement(cards=PLUSES, requester=ada)
    Simulation.objects.update(status=status)
    assert selectors.measurement(CODE) is None
    again = request_measurement(cards=PLUSES, requester=ada)
    assert (again.pk, again.simulation.status) == (row.pk, "running")


def test_one_of_an_earlier_release_is_made_again(ada):
    row = Measurement.objects.create(code=CODE, **selectors.terms())
    assert selectors.measurement(CODE) is None
    again = request_measurement(cards=PLUSES, requester=ada)
    assert (again.pk, again.simulation.games) == (row.pk, 60)


def test_a_measurement_is_forgotten_with_its_simulation(ada):
    Measurement.objects.create(code="0000-0000", **selectors.terms())
    request_measurement(cards=PLUSES, requester=ada)
    forget_measurements(Measurement.objects.all())
    assert not Measurement.objects.exists()
    assert not Simulation.objects.exists()


def share_won(ada, cards):
    row = played(request_measurement(cards=cards, requester=ada))
    figures = run_part(request_of(row.simulation), Part(0, 60))
    return figures.bots["gambler 1"].won


def test_the_reference_deck_is_its_own_match_and_the_starter_is_not(ada):
    assert share_won(ada, selectors.REFERENCE) == 30
    assert wilson(share_won(ada, STARTER), 60).high < 0.5


def test_the_page_shows_progress_and_then_the_rate(browsing, ada, deck):
    browser, address = browsing(ada), f"/decks/{deck.pk}"
    assert "Measure it" in browser.get(address).content.decode()
    assert browser.post(f"{address}/measure")["Location"] == f"{address}#wins"
    row = selectors.measurement(CODE)
    part = work._claim_part()
    work._store_figures(part, run_part(request_of(row.simulation), Part(0, 3)))
    running = browser.get(f"{address}/measured").content.decode()
    assert 'hx-trigger="every 1s"' in running
    assert "3 of 60 matches played" in running
    assert '<meta http-equiv="refresh"' in browser.get(address).content.decode()
    won = share_won(ada, PLUSES)
    over = unescape(browser.get(f"{address}/measured").content.decode())
    assert "hx-trigger" not in over
    assert f"{won} of 60 matches" in over
    share = wilson(won, 60)
    assert f"{100 * share.low:.1f} % and {100 * share.high:.1f} %" in over


def test_too_many_at_once_are_refused_in_words(browsing, ada, deck, settings):
    settings.LIMITS = settings.LIMITS | {"measurements": 0}
    answer = browsing(ada).post(f"/decks/{deck.pk}/measure")
    assert answer.status_code == 422
    assert "as many decks measured at once" in answer.content.decode()


def test_a_copy_shows_what_was_measured_of_its_cards(browsing, ada, deck):
    won = share_won(ada, PLUSES)
    copy = services.copy_deck(owner=ada.pk, deck_id=deck.pk)
    assert f"{won} of 60 matches" in browsing(ada).get(f"/decks/{copy.pk}").content.decode()
