"""The search that all bots share, on worlds whose best move is known."""

from collections import Counter
from random import Random

import pytest

from cardroom.arena.request import Part, describe, run_part
from cardroom.rules import catalog, search, values
from cardroom.rules.bot import STRENGTHS, Mixed
from cardroom.rules.search import monte_carlo
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import LARGEST
from tests.rules.playing import Sitting


class Urn:
    """A move is worth its chance in a hundred, drawn in the world that all moves share."""

    def __init__(self, chances, log, drawn=None):
        self.chances, self.log, self.drawn, self.chance = chances, log, drawn, None

    def sample(self, rng):
        return Urn(self.chances, self.log, rng.random())

    def copy(self):
        return Urn(self.chances, self.log, self.drawn)

    def play(self, move):
        self.chance = self.chances[move]
        self.log.append((move, self.drawn))

    def playout(self):
        pass

    def worth(self):
        return float(self.drawn < self.chance)


def search_in(chances, playouts, seed=1, near=0.0):
    log = []
    return search.best_move(Urn(chances, log), list(chances), playouts, Random(seed), near), log


def test_the_best_move_is_found():
    for seed in range(20):
        assert search_in({"a": 0.2, "b": 0.7, "c": 0.4, "d": 0.3}, 400, seed)[0] == "b"


def test_all_moves_see_the_same_worlds_and_the_worse_half_is_dropped():
    _, log = search_in({"a": 0.1, "b": 0.9, "c": 0.2, "d": 0.8}, 80)
    worlds = {move: [drawn for played, drawn in log if played == move] for move in "abcd"}
    assert worlds["a"] == worlds["c"] == worlds["b"][: len(worlds["a"])]
    assert worlds["b"] == worlds["d"]
    assert len(worlds["b"]) > 2 * len(worlds["a"])


def test_the_budget_is_kept():
    for playouts in (8, 50, 333):
        assert len(search_in({"a": 0.1, "b": 0.9, "c": 0.2}, playouts)[1]) <= playouts


def test_near_equals_are_not_foretold():
    chosen = {
        search_in({"a": 0.5, "b": 0.5, "c": 0.1}, 90, seed, near=0.05)[0] for seed in range(9)
    }
    assert chosen == {"a", "b"}


def test_a_single_move_is_not_weighed():
    assert search_in({"a": 0.0}, 100) == ("a", [])


def test_a_limit_of_time_ends_the_search_with_the_best_so_far():
    asked = []
    with search.stopping_when(lambda: len(asked) > 2 or bool(asked.append(1))):
        move, log = search_in({"a": 0.0, "b": 1.0}, 10_000)
    assert (move, len(log)) == ("b", 8)
    assert len(search_in({"a": 0.0, "b": 1.0}, 100)[1]) == 100


@pytest.mark.parametrize(
    "game", [game for game in catalog.GAMES if game.imagine], ids=lambda game: game.slug
)
def test_the_rules_are_a_world_of_every_game_that_imagines(game):
    bot = monte_carlo(game)
    sitting = Sitting.begun(game, game.options(), 2)
    for _ in range(6):
        seat = game.to_act(sitting.state)[0]
        sitting.play(seat, game.legal_moves(sitting.state, seat)[0])
    for seat in game.to_act(sitting.state):
        view = game.view(sitting.state, seat)
        seen = sitting.seen_by(seat)
        moves = {bot.search.choose(view, seen, Random(3), 4) for _ in range(2)}
        assert len(moves) == 1
        game.play(sitting.state, seat, moves.pop(), seeded(Random(1)))


# A bot that searches takes a budget with its name: playouts, or milliseconds.


def test_a_bot_that_searches_takes_a_budget_with_its_name():
    for game in catalog.GAMES:
        for bot in game.bots:
            if bot.search is None:
                with pytest.raises(KeyError):
                    game.bot(f"{bot.slug}@10ms")
                continue
            timed = game.bot(f"{bot.slug}@10ms")
            counted = game.bot(f"{bot.slug}:playouts={round(10 * bot.search.playouts_a_ms)}")
            assert timed.choose.playouts == counted.choose.playouts
            assert not timed.rated
            assert game.bot(timed.slug).slug == timed.slug  # what a seat stores is found again


@pytest.mark.parametrize("name", ["@", "@0ms", "@501ms", "@ms", ":playouts=0", ":playouts=9999999"])
def test_a_budget_has_bounds(name):
    with pytest.raises(KeyError):
        catalog.find("pazaak").bot(f"professor{name}")


# A bot that grows takes a strength with its name, and plays more and more like a better one.

GROWING = [(game, bot) for game in catalog.GAMES for bot in game.bots if bot.growth]


def test_every_game_with_decisions_has_a_beginner_that_grows():
    assert {(game.slug, bot.slug) for game, bot in GROWING} == {
        ("pisti", "beginner"),
        ("pazaak", "beginner"),
        ("shithead", "beginner"),
    }


@pytest.mark.parametrize(("game", "bot"), GROWING, ids=lambda each: each.slug)
def test_strengths_rise_and_are_found_by_their_names(game, bot):
    shares = bot.growth.shares
    assert len(shares) == STRENGTHS
    assert list(shares) == sorted(set(shares))
    for strength, share in enumerate(shares, start=1):
        grown = game.bot(f"beginner:strength={strength}")
        assert grown.choose.share == share
        assert not grown.rated
        assert grown.remembers == bot.growth.into.remembers
        assert game.bot(grown.slug).slug == grown.slug  # what a seat stores is found again


@pytest.mark.parametrize(
    "name", ["beginner:strength=0", "beginner:strength=6", "rookie:strength=2"]
)
def test_other_strengths_and_other_bots_are_refused(name):
    with pytest.raises(KeyError):
        catalog.find("pazaak").bot(name)


def test_it_chooses_as_the_better_one_as_often_as_it_says():
    mixed = Mixed(lambda *_: "usual", lambda *_: "better", 0.3)
    rng = Random(1)
    chosen = Counter(mixed(None, (), rng) for _ in range(2000))
    assert 0.25 < chosen["better"] / 2000 < 0.35


def test_the_strongest_beats_the_weakest():
    bots = ["beginner:strength=5", "beginner"]
    asked = describe("pazaak", bots=bots, games=60, seed=1, swap=True)
    assert run_part(asked, Part(0, 60)).bots["beginner:strength=5"].won > 40


# Files of whole numbers that bots have learned.


def test_what_was_packed_is_read(tmp_path):
    file = tmp_path / "some.table"
    file.write_bytes(values.packed([3, -5, 0, LARGEST]))
    assert values.read(file).tolist() == [3, -5, 0, LARGEST]


def test_numbers_are_rounded_and_never_too_large(tmp_path):
    file = tmp_path / "some.table"
    file.write_bytes(values.packed([1.4, -1.6, 1e9, -1e9]))
    assert values.read(file).tolist() == [1, -2, LARGEST, -LARGEST]


@pytest.mark.parametrize("order", ["little", "big"])
def test_the_lower_byte_comes_first_in_a_file(order, monkeypatch, tmp_path):
    """Where numbers have the higher byte first in memory they are turned: here 258 is 513 there."""
    file = tmp_path / "some.table"
    file.write_bytes(values.packed([258]))
    monkeypatch.setattr(values, "byteorder", order)
    assert values.read(file)[0] == {"little": 258, "big": 513}[order]
