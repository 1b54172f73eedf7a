"""Every game as a game of OpenSpiel, played by OpenSpiel's own hand."""

from random import Random

import pytest

from games.research.spiel import spiel_game
from tests.rules.playing import every_game


@every_game
def test_a_match_is_played_to_its_end(game):
    options = {"max_tricks": 200} if game.slug == "pyanitsa" else {}
    spiel = spiel_game(game.slug, seed=3, options=options)
    state, chance = spiel.new_initial_state(), Random(1)
    assert state.is_chance_node()
    while not state.is_terminal():
        action = chance.choice(state.legal_actions())
        assert state.action_to_string(state.current_player(), action)
        state.apply_action(action)
    assert len(state.observation_tensor(0)) == spiel.observation_tensor_size()
    assert sum(state.returns()) == pytest.approx(0)


def test_a_copy_goes_its_own_way_with_the_same_decks():
    state = spiel_game("pisti", preset="single", seed=3).new_initial_state()
    state.apply_action(0)
    copy = state.clone()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert not copy.is_terminal()
    while not copy.is_terminal():
        copy.apply_action(copy.legal_actions()[0])
    assert str(copy) == str(state)


def test_every_deal_is_another_one():
    game = spiel_game("pisti", preset="single", seed=3)
    first, second = game.new_initial_state(), game.new_initial_state()
    first.apply_action(0)
    second.apply_action(0)
    assert str(first) != str(second)
