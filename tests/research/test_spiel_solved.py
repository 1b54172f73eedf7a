"""Games cut down to a few cards are solved: counterfactual regret minimisation converges."""

from random import Random

import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability

from cardroom.research.pazaak import last_round
from cardroom.research.pisti import last_hand
from cardroom.research.spiel import listed_game

SMALL = ((last_hand.SLUG, {"cards": 2}), (last_round.SLUG, {"values": 2}))


@pytest.mark.parametrize(("slug", "size"), SMALL)
def test_the_average_strategy_comes_near_an_equilibrium(slug, size):
    game = listed_game(slug, **size)
    solver, gains = cfr.CFRPlusSolver(game), []
    for _ in range(2):
        for _ in range(6):
            solver.evaluate_and_update_policy()
        gains.append(exploitability.nash_conv(game, solver.average_policy()))
    assert gains[1] < gains[0] / 1.5 or gains[1] < 0.01


@pytest.mark.parametrize(("slug", "size"), SMALL)
def test_openspiel_accepts_it_and_every_history_is_true(slug, size):
    game = listed_game(slug, **size)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    state, chance = game.new_initial_state(), Random(3)
    state.apply_action(chance.choice(state.legal_actions()))
    while not state.is_terminal():
        player = state.current_player()
        other = state.resample_from_infostate(player)
        again = game.new_initial_state()
        for action in other.history():
            again.apply_action(action)
        assert str(again) == str(other)
        assert again.information_state_string(player) == state.information_state_string(player)
        state.apply_action(chance.choice(state.legal_actions()))


@pytest.mark.parametrize(
    ("slug", "size"), [(last_hand.SLUG, {"cards": 5}), (last_round.SLUG, {"values": 4})]
)
def test_a_size_that_there_is_not_is_refused(slug, size):
    with pytest.raises(ValueError, match="not"):
        listed_game(slug, **size)
