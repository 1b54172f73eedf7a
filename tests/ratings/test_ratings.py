"""The bots of the service, rated by matches of the night."""

from datetime import timedelta
from math import comb

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.ratings import services
from games.ratings.models import BotRating, Pairing, RoundRobin
from games.ratings.selectors import ratings_of
from games.rules import catalog
from games.simulations import requests, work
from games.simulations.models import Simulation

pytestmark = pytest.mark.django_db


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A night of one game with its quick bots."""
    monkeypatch.setattr(services, "MATCHES", 2)
    game = catalog.find("pazaak")
    quick = tuple(bot for bot in game.bots if bot.cost == "quick")
    monkeypatch.setattr(catalog, "GAMES", (game,))
    monkeypatch.setitem(game.__dict__, "bots", quick)


def rated() -> set[str]:
    return {bot.slug for bot in catalog.find("pazaak").bots if bot.rated}


def play_all() -> None:
    while work.run_parts_for_a_while():
        pass


def test_a_night_rates_every_rated_bot_and_leaves_no_simulation(small: None) -> None:
    services.start_all()
    assert RoundRobin.objects.get().pairings.count() == comb(len(rated()), 2)
    services.finish_all()
    assert not BotRating.objects.exists()  # its matches are not played yet
    play_all()
    services.finish_all()
    found = ratings_of("pazaak")
    assert set(found) == rated() == {"random", "rookie", "beginner", "gambler", "professor"}
    assert sum(row.rating for row in found.values()) == pytest.approx(1500 * len(found))
    each = 2 * (len(found) - 1)
    assert all(row.low <= row.rating <= row.high for row in found.values())
    assert {row.matches for row in found.values()} == {each}
    assert not Simulation.objects.exists()
    assert not Pairing.objects.exists()
    assert RoundRobin.objects.get().finished_at is not None


def test_the_next_night_waits_for_the_last(small: None) -> None:
    services.start_all()
    services.start_all()
    assert RoundRobin.objects.count() == 1
    assert Simulation.objects.count() == comb(len(rated()), 2)


def test_what_will_never_be_played_is_given_up(small: None) -> None:
    services.start_all()
    Simulation.objects.update(status="cancelled")
    services.finish_all()
    assert not BotRating.objects.exists()
    services.start_all()
    RoundRobin.objects.update(started_at=timezone.now() - timedelta(hours=41))
    services.finish_all()
    assert not RoundRobin.objects.filter(finished_at=None).exists()
    assert not Simulation.objects.exists()


def test_games_without_levels_are_not_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "GAMES", (catalog.find("pyanitsa"),))
    services.start_all()
    assert not RoundRobin.objects.exists()


def test_the_simulations_of_people_come_first(small: None, ada: User) -> None:
    services.start_all()
    asked = requests.start(owner=ada, game="pazaak", games=3)
    Simulation.objects.filter(id=asked.id).update(seconds=50)
    assert work._in_turn().first() == asked


def test_api_and_pages_show_the_rating(client: Client) -> None:
    BotRating.objects.create(
        game="pisti", bot="counter", rating=1612.3, low=1590, high=1630, matches=800,
        rated_at=timezone.now(),
    )  # fmt: skip
    games = {game["slug"]: game for game in client.get("/api/v1/games").json()}
    bots = {bot["slug"]: bot for bot in games["pisti"]["bots"]}
    assert bots["counter"]["rating"]["value"] == 1612.3
    assert bots["counter"]["rating"]["matches"] == 800
    assert bots["greedy"]["rating"] is None
    assert "Counter (level 4, rating 1612)" in client.get("/new?game=pisti").content.decode()
    assert "rating 1612, 1590 to 1630" in client.get("/games/pisti/rules").content.decode()
