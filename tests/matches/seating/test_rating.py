"""Matches by rules that hardly ever end are not rated, whenever that is found out."""

import pytest
from django.core.cache import cache

from games.arena.reports import forecast
from games.matches.seating import rating
from games.matches.tasks import end_unfit_ratings
from games.rules import catalog
from games.simulations import house_rules
from tests.matches.scenes import now, opened, resigned

SEATS = "me, bot automaton"
ENDLESS = {"max_tricks": 1}
MAY_STOP = [
    (game, options)
    for game in catalog.GAMES
    for options in (game.options(), *game.presets.values())
    if game.may_be_stopped(options)
]


@pytest.fixture(autouse=True)
def _few_matches(monkeypatch):
    cache.clear()
    monkeypatch.setattr(forecast, "MATCHES", 50)
    monkeypatch.setattr(house_rules, "SECONDS", 60)


def try_out() -> None:
    """What the worker does that was asked to."""
    house_rules.try_options("pyanitsa", '{"max_tricks":1}')


@pytest.mark.django_db
def test_rules_that_are_known_to_go_on_for_ever_are_not_rated(ada):
    try_out()
    assert not opened(ada, SEATS, "pyanitsa", options=ENDLESS).rated
    assert opened(ada, SEATS, "pyanitsa").rated


@pytest.mark.django_db
def test_a_match_is_unrated_once_its_rules_are_found_to_go_on_for_ever(ada):
    match = opened(ada, SEATS, "pyanitsa", options=ENDLESS)
    waiting = opened(ada, "me, open", "pyanitsa", options=ENDLESS)
    over = resigned(opened(ada, SEATS, "pyanitsa", options=ENDLESS), 0)
    other = opened(ada, SEATS, "pyanitsa", options={"max_tricks": 9999})
    assert match.rated
    try_out()
    end_unfit_ratings()
    assert not now(match).rated
    assert now(match).version == match.version
    assert not now(waiting).rated
    assert now(over).rated
    assert now(other).rated


@pytest.mark.django_db
def test_what_is_found_out_while_the_match_is_written_counts(ada, monkeypatch):
    answers = [None, False]
    monkeypatch.setattr(rating.house_rules, "may_be_rated", lambda *_: answers.pop(0))
    match = opened(ada, SEATS, "pyanitsa", options=ENDLESS)
    assert not match.rated
    assert not now(match).rated


@pytest.mark.parametrize(("game", "options"), MAY_STOP)
def test_the_rules_that_every_table_offers_lead_to_an_end(game, options):
    assert house_rules.ends(forecast.forecast(game, options, lambda: False))
