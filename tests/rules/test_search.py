"""The search that all bots share, on worlds whose best move is known."""

from random import Random

import pytest

from cardroom.rules import catalog, search
from cardroom.rules.search import monte_carlo
from cardroom.rules.shuffles import seeded
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
