"""How well Pişti's searcher guesses hands, as ``tests.strength.guesses`` finds it."""

from statistics import fmean

import pytest

from cardroom.arena import compiled_code
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.bots.belief import COUNTER, GREEDY, NEAR_COUNTER, Known
from cardroom.rules.pisti.bots.world import MODELS, PistiWorld
from tests.strength.guesses import Guessing, play, two_kinds


def scores_of(bot, players=2):
    """By place of one match, with three kinds of players and with two."""
    guessing = Guessing(compiled_code.quick(PISTI, PISTI.bot(bot)), worlds=10)
    play(guessing, 0, PISTI.options(target_score=51, players=players))
    return zip(*guessing.scores, strict=True)


def test_the_hands_of_a_counter_are_guessed_with_either_two_or_three_kinds():
    three, two = map(fmean, scores_of("counter"))
    assert min(three, two) > 0.2
    assert three == pytest.approx(two, abs=0.1)


def test_the_hands_of_who_searches_are_guessed_better_with_three_kinds():
    three, two = map(fmean, scores_of("searcher:playouts=50", 3))
    assert three > two + 0.1


def test_with_two_kinds_the_odds_of_the_others_stay():
    known = two_kinds(Known([PistiWorld()], [], [], [], [0.5, 0.25, 0.25] * 2, []))
    for first in (0, MODELS):
        assert known.trust[first + NEAR_COUNTER] == 0
        assert known.trust[first + COUNTER] == pytest.approx(2 / 3)
        assert known.trust[first + GREEDY] == pytest.approx(1 / 3)
