"""The ratings of computers: those of the tree are shipped, those from outside are measured once."""

import re
from math import comb
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from cardroom.rules import catalog
from cardroom.rules.outside import Admitted, Entry
from games.ratings import computers
from games.ratings.computers import all_ratings, ratings_of
from games.ratings.folding import computer
from games.ratings.models import BotRating, Pairing, RoundRobin
from games.ratings.scale import shipped_ratings
from games.simulations import work
from games.simulations.models import Simulation
from tests.strength import leaderboard

pytestmark = pytest.mark.django_db


def installed(monkeypatch: pytest.MonkeyPatch, version: str = "1.0") -> None:
    """Pazaak, as if it came from outside."""
    game = catalog.find("pazaak")
    entry = Entry("pazaak", "its", "GAME", "pazaak-cardroom", version, None)
    monkeypatch.setattr(catalog, "INSTALLED", (Admitted(entry, game, Path()),))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game from outside with quick bots, which play little."""
    monkeypatch.setattr(computers, "MATCHES", 2)
    game = catalog.find("pazaak")
    quick = tuple(bot for bot in game.bots if bot.cost == "quick")
    monkeypatch.setattr(catalog, "GAMES", (game,))
    monkeypatch.setattr(catalog, "OF_THE_HOUSE", ())
    monkeypatch.setitem(game.__dict__, "bots", quick)
    installed(monkeypatch)


def rated() -> set[str]:
    return {bot.slug for bot in catalog.find("pazaak").bots if bot.rated}


def play_all() -> None:
    while work.run_parts_for_a_while():
        pass


def stored(game: str, bot: str, rating: float) -> None:
    figures = {"rating": rating, "low": rating - 9, "high": rating + 9, "matches": 800}
    BotRating.objects.create(game=game, bot=bot, rated_at=timezone.now(), **figures)


class TestShipped:
    def test_every_rated_computer_of_the_tree_where_they_differ(self) -> None:
        shipped = shipped_ratings()
        for game in catalog.OF_THE_HOUSE:
            bots = {bot.slug for bot in game.bots if bot.rated}
            levels = {bot.level for bot in game.bots if bot.rated}
            assert set(ratings_of(game.slug)) == (bots if len(levels) > 1 else set()), game.slug
        assert {slug: one.rules_version for slug, one in shipped.items()} == {
            slug: catalog.find(slug).rules_version for slug in shipped
        }

    def test_the_figures_are_those_of_the_page(self) -> None:
        page = leaderboard.sections(leaderboard.PAGE.read_text("utf-8"))
        for slug, shipped in shipped_ratings().items():
            written = re.findall(
                r"(?m)^\| `(\w+)` \| (\d+) \((\d+)–(\d+)\)", page[catalog.find(slug).name]
            )
            told = {name: tuple(map(int, its)) for name, *its in written}
            for name, one in shipped.computers.items():
                assert told[name] == (one.rating, one.low, one.high), (slug, name)

    def test_what_an_earlier_release_stored_gives_way(self) -> None:
        stored("pisti", "counter", 99.0)
        shipped = shipped_ratings()["pisti"].computers["counter"]
        assert ratings_of("pisti")["counter"].rating == shipped.rating
        assert all_ratings()["pisti", "counter"].rating == shipped.rating
        assert computer("pisti", "counter").mean > 1

    def test_nothing_of_the_tree_is_played_here(self) -> None:
        computers.look_after()
        assert not RoundRobin.objects.exists()
        assert not Simulation.objects.exists()

    def test_a_night_that_an_earlier_release_began_is_ended(self) -> None:
        game = catalog.find("pisti")
        computers._start(game, [game.bot("greedy"), game.bot("random")], "")
        computers.look_after()
        assert not RoundRobin.objects.filter(finished_at=None).exists()
        assert not Simulation.objects.exists()
        assert not BotRating.objects.exists()


def test_every_rated_bot_from_outside_is_rated_and_no_simulation_stays(small: None) -> None:
    computers.look_after()
    assert RoundRobin.objects.get().pairings.count() == comb(len(rated()), 2)
    computers.finish_all()
    assert not BotRating.objects.exists()  # its matches are not played yet
    play_all()
    computers.finish_all()
    found = ratings_of("pazaak")
    assert set(found) == rated() == {"random", "rookie", "beginner", "gambler", "professor"}
    assert sum(row.rating for row in found.values()) == pytest.approx(1500 * len(found))
    each = 2 * (len(found) - 1)
    assert all(row.low <= row.rating <= row.high for row in found.values())
    assert {row.matches for row in found.values()} == {each}
    assert not Simulation.objects.exists()
    assert not Pairing.objects.exists()
    assert RoundRobin.objects.get().finished_at is not None


def test_once_for_each_version(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    computers.look_after()
    computers.look_after()
    assert Simulation.objects.count() == comb(len(rated()), 2)
    installed(monkeypatch, "1.1")
    computers.look_after()
    assert RoundRobin.objects.count() == 1  # the other one runs still
    play_all()
    computers.look_after()
    assert set(ratings_of("pazaak")) == rated()
    computers.look_after()
    assert [one.version for one in RoundRobin.objects.order_by("id")] == [
        "pazaak-cardroom 1.0",
        "pazaak-cardroom 1.1",
    ]
    assert set(ratings_of("pazaak")) == rated()  # the old ones stand until it is played


def test_what_will_never_be_played_is_given_up(small: None) -> None:
    computers.look_after()
    Simulation.objects.update(status="cancelled")
    computers.look_after()
    assert not BotRating.objects.exists()
    RoundRobin.objects.all().delete()
    computers.look_after()
    RoundRobin.objects.update(started_at=timezone.now() - computers.GIVEN_UP_AFTER)
    computers.look_after()
    assert not RoundRobin.objects.filter(finished_at=None).exists()
    assert not Simulation.objects.exists()
    computers.look_after()
    assert RoundRobin.objects.count() == 1


def test_games_without_levels_are_not_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Entry("pyanitsa", "its", "GAME", "pyanitsa-cardroom", "1.0", None)
    known = (Admitted(entry, catalog.find("pyanitsa"), Path()),)
    monkeypatch.setattr(catalog, "INSTALLED", known)
    computers.look_after()
    assert not RoundRobin.objects.exists()


def test_the_simulations_of_people_come_first(small: None, ada: User) -> None:
    computers.look_after()
    asked = work.start(owner=ada, game="pazaak", games=3)
    Simulation.objects.filter(id=asked.id).update(seconds=50)
    assert work._in_turn().first() == asked


def test_api_and_pages_show_the_rating(client: Client) -> None:
    counter = shipped_ratings()["pisti"].computers["counter"]
    games = {game["slug"]: game for game in client.get("/api/v1/games").json()}
    bots = {bot["slug"]: bot for bot in games["pisti"]["bots"]}
    assert bots["counter"]["rating"]["value"] == counter.rating
    assert bots["counter"]["rating"]["matches"] == counter.matches
    assert games["pyanitsa"]["bots"][0]["rating"] is None
    rules = client.get("/games/pisti/rules").content.decode()
    assert f"rating {counter.rating}, {counter.low} to {counter.high}" in rules
