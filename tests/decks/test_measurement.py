"""Measuring a deck: bounded, once for equal cards, and no message counts twice."""

from datetime import timedelta
from html import unescape

import pytest
from django.db.models.functions import Now

from decks import selectors, share_codes
from decks.models import Measurement
from decks.profiles import playouts
from decks.profiles.intervals import wilson
from decks.refusals import MeasuringBusy
from decks.repertoire import repertoire
from decks.services import decks, measurement
from decks.tasks import measure
from games.arena import statistics
from games.rules.pazaak.side_cards import STARTER
from tests.decks.conftest import MIXED, PLUSES

CODE = share_codes.encode(PLUSES)


@pytest.fixture
def sent(monkeypatch):
    """The messages sent to the workers."""
    messages = []
    monkeypatch.setattr(measurement, "send_chunk", lambda *message: messages.append(message))
    monkeypatch.setattr(measurement, "MATCHES", 250)
    monkeypatch.setattr(measurement, "CHUNK", 100)
    return messages


@pytest.fixture
def commits(django_capture_on_commit_callbacks):
    return lambda: django_capture_on_commit_callbacks(execute=True)


def drained(sent, commits):
    """The workers take every message; the figures after each."""
    figures = []
    while sent:
        with commits():
            measure(*sent.pop())
        row = selectors.measurement(CODE)
        figures.append((row.played, row.won))
    return figures


def test_a_deck_is_measured_chunk_by_chunk(ada, sent, commits):
    with commits():
        measurement.ask(cards=PLUSES)
    assert sent == [(CODE, 0)]
    figures = drained(sent, commits)
    assert [played for played, _ in figures] == [100, 200, 250]
    assert figures[-1][1] == playouts.wins(PLUSES, 0, 250)
    assert selectors.measurement(CODE).is_finished


def test_a_message_twice_or_overtaken_counts_once(ada, sent, commits):
    with commits():
        measurement.ask(cards=PLUSES)
        measure(CODE, 0)
    before = selectors.measurement(CODE)
    with commits():
        measure(CODE, 0)
        measure(CODE, 200)
        measure("0000-0000", 0)
    after = selectors.measurement(CODE)
    assert (after.played, after.won) == (before.played, before.won) == (100, before.won)


def test_equal_decks_share_a_measurement(ada, ben, sent, commits):
    with commits():
        rows = [measurement.ask(cards=cards) for cards in (PLUSES, PLUSES[::-1])]
    assert rows[0].pk == rows[1].pk
    assert sent == [(CODE, 0)]


def test_only_so_many_are_measured_at_once(ada, sent, monkeypatch):
    monkeypatch.setattr(measurement, "MOST_AT_ONCE", 1)
    measurement.ask(cards=PLUSES)
    with pytest.raises(MeasuringBusy):
        measurement.ask(cards=MIXED)
    assert measurement.ask(cards=PLUSES).code == CODE


def test_a_lost_message_is_sent_again_once(ada, sent, commits):
    with commits():
        row = measurement.ask(cards=PLUSES)
        measurement.keep_going(row)
    assert sent == [(CODE, 0)]
    Measurement.objects.update(moved_at=Now() - timedelta(minutes=1))
    with commits():
        measurement.keep_going(row)
        measurement.keep_going(row)
    assert sent == [(CODE, 0)] * 2


def test_a_finished_measurement_stays_finished(ada, sent, commits):
    Measurement.objects.create(code=CODE, **selectors.terms(), wanted=100, played=100, won=60)
    Measurement.objects.update(moved_at=Now() - timedelta(minutes=1))
    with commits():
        row = measurement.ask(cards=PLUSES)
        measurement.keep_going(row)
        measure(CODE, 100)
    assert sent == []
    assert selectors.measurement(CODE).played == 100


def test_a_match_is_the_same_whoever_plays_it():
    assert [playouts.is_won(MIXED, n) for n in range(6)] == [
        playouts.is_won(MIXED, n) for n in range(6)
    ]


def test_the_reference_deck_is_its_own_match_and_the_starter_is_not():
    even, weak = (
        wilson(playouts.wins(playouts.REFERENCE, 0, 300), 300),
        playouts.wins(STARTER, 0, 300),
    )
    assert even.low < 0.5 < even.high
    assert wilson(weak, 300).high < 0.3


@pytest.mark.parametrize(("won", "played"), [(0, 0), (0, 10), (10, 10), (871, 2000), (1, 3)])
def test_the_interval_is_the_arenas(won, played):
    theirs = statistics.wilson(won, played)
    assert tuple(wilson(won, played)) == pytest.approx((theirs.value, theirs.low, theirs.high))


def test_what_cards_can_do():
    known = repertoire(["P6", "M3", "PM2", "PM12", "F24", "D", "T", "M6", "P1", "P1"])
    assert {each.total: each.cards for each in known.totals} == {
        14: 1, 15: 0, 16: 0, 17: 0, 18: 2, 19: 4,
        21: 5, 22: 4, 23: 2, 24: 1, 25: 1, 26: 1,
    }  # fmt: skip
    assert (known.lifts, known.repairs) == ([14, 18, 19], [21, 22, 23, 24, 25, 26])
    assert known.signs_to_choose == 3
    assert known.by_board == ("Flip 2 & 4", "Double")


def test_the_page_shows_progress_and_then_the_rate(browsing, ada, deck, sent, commits):
    browser, address = browsing(ada), f"/decks/{deck.pk}"
    assert "Measure it" in browser.get(address).content.decode()
    with commits():
        assert browser.post(f"{address}/measure")["Location"] == f"{address}#wins"
        measure(CODE, 0)
    running = browser.get(f"{address}/measured").content.decode()
    assert 'hx-trigger="every 1s"' in running
    assert "100 of 250 matches played" in running
    assert '<meta http-equiv="refresh"' in browser.get(address).content.decode()
    drained(sent, commits)
    won = selectors.measurement(CODE).won
    over = unescape(browser.get(f"{address}/measured").content.decode())
    assert "hx-trigger" not in over
    assert f"{won} of 250 matches" in over
    share = wilson(won, 250)
    assert f"{100 * share.low:.1f} % and {100 * share.high:.1f} %" in over


def test_a_busy_computer_is_told(browsing, ada, deck, sent, monkeypatch):
    monkeypatch.setattr(measurement, "MOST_AT_ONCE", 0)
    answer = browsing(ada).post(f"/decks/{deck.pk}/measure")
    assert answer.status_code == 422
    assert "busy measuring other decks" in answer.content.decode()


def test_a_copy_shows_what_was_measured_of_its_cards(browsing, ada, deck):
    Measurement.objects.create(code=CODE, **selectors.terms(), wanted=100, played=100, won=60)
    copy = decks.copy(owner=ada.pk, deck_id=deck.pk)
    assert "60 of 100 matches" in browsing(ada).get(f"/decks/{copy.pk}").content.decode()
