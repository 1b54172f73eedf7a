"""Options are tried by a worker, once for everybody, and shown in words on the form."""

from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.test import Client

from cardroom.arena import reports
from cardroom.arena.reports import Forecast
from cardroom.rules import catalog
from games.simulations import house_rules
from games.web.simulations import sentence

PYANITSA = catalog.find("pyanitsa")
FORM = {
    "game": "pyanitsa",
    "shown_game": "pyanitsa",
    "players": 2,
    "deck": 36,
    "max_tricks": 40,
} | {
    name: PYANITSA.options().__getattribute__(name)
    for name in (
        *("dispute", "collect_to", "recycle", "collect_order", "short_dispute", "goal"),
        *("low_beats_ace", "jokers", "leader", "pace"),
    )
}
OPTIONS = PYANITSA.choose_options({"max_tricks": 40})


@pytest.fixture(autouse=True)
def announced(monkeypatch):
    """Which options workers were asked to try."""
    cache.clear()
    monkeypatch.setattr(house_rules, "SECONDS", 60)
    monkeypatch.setattr(reports, "MATCHES", 50)
    asked = []
    monkeypatch.setattr(house_rules, "announce_options", lambda *wanted: asked.append(wanted))
    return asked


@pytest.mark.django_db
def test_a_worker_is_asked_once_and_its_answer_kept(announced):
    assert house_rules.forecast_of(PYANITSA, OPTIONS) is None
    assert house_rules.forecast_of(PYANITSA, OPTIONS) is None
    ((slug, chosen, _),) = announced
    found = house_rules.try_options(slug, chosen)
    assert found.matches >= 20
    assert house_rules.forecast_of(PYANITSA, OPTIONS) == found
    assert house_rules.forecast_of(PYANITSA, PYANITSA.options()) is None


def test_only_so_many_options_are_tried_a_minute(announced, monkeypatch, time_machine):
    time_machine.move_to(datetime.now(UTC), tick=False)  # no minute ends in it
    monkeypatch.setattr(house_rules, "STARTED_A_MINUTE", 3)
    for tricks in range(1, 9):
        house_rules.forecast_of(PYANITSA, PYANITSA.choose_options({"max_tricks": tricks}))
    assert len(announced) == 3


@pytest.mark.django_db
def test_the_form_asks_again_until_there_is_an_answer(client: Client):
    page = client.get("/new?game=pyanitsa").content.decode()
    assert 'hx-get="/new/forecast"' in page
    waiting = client.get("/new/forecast", FORM).content.decode()
    assert "load delay:1s" in waiting
    assert "load delay:1s" not in client.get("/new/forecast", FORM | {"asked": 10}).content.decode()
    house_rules.try_options("pyanitsa", '{"max_tricks":40}')
    answered = client.get("/new/forecast", FORM).content.decode()
    assert "never end: a limit stops them" in answered


@pytest.mark.django_db
def test_options_that_cannot_be_are_not_tried(client: Client, announced):
    for wrong in ({"deck": 37}, {"players": ""}, {"jokers": "ranked"}):
        assert client.get("/new/forecast", FORM | wrong).content.strip() == b""
    assert client.get("/new/forecast").status_code == 404
    assert announced == []


def test_the_words():
    told = sentence(Forecast(matches=1000, plies=400, endless=0.13, first=0.52, ties=0.001))
    assert told == (
        "About 20 minutes with 3 seconds a move; the first seat wins 52%; 13% never end: a limit "
        "stops them. Computers played 1,000 matches by these rules."
    )
    endless = sentence(Forecast(matches=1000, plies=400, endless=0.26, first=0.52))
    assert endless.endswith("As so many never end, matches by these rules are not rated.")
