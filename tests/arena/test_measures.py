"""What is counted in a match, and what a match's length is measured in."""

from dataclasses import replace
from random import Random

import pytest

from cardroom.arena.playouts import play_match
from cardroom.arena.request import Part, describe, run_part
from cardroom.arena.statistics import measure_names
from cardroom.rules import catalog
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Measure
from tests.arena.toy import HIGH, TOY, CardLaid, RoundWon, ToyOptions, setups


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_every_game_counts_what_it_states(game):
    figures = run_part(describe(game.slug, games=1, bots=["random"]), Part(0, 1))
    assert set(figures.measures) == set(measure_names(game))
    assert figures.measures["plies"]
    assert game.length in measure_names(game)


def test_two_measures_may_count_one_type_of_event():
    measures = (
        Measure(name="cards", event=CardLaid),
        Measure(name="cards of seat 1", event=CardLaid, where=lambda event: event.seat == 1),
        Measure(name="wins", event=RoundWon),
    )
    game = replace(TOY, measures=measures)
    options = ToyOptions(target=None, max_rounds=2)
    played = play_match(game, options, (HIGH, HIGH), setups(2), seeded(Random(1)), Random())
    assert played.measures == {
        "cards": 4, "cards of seat 1": 2, "wins": 2, "rounds": 2, "plies": 4,
    }  # fmt: skip
    assert measure_names(game) == ("cards", "cards of seat 1", "wins", "rounds", "plies")
