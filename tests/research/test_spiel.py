"""Every game as a game of OpenSpiel, judged and played by OpenSpiel's own hand."""

import pickle
from collections import Counter
from random import Random

import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts

from cardroom.arena.statistics import BadRequest
from cardroom.research.pazaak import last_round
from cardroom.research.pisti import last_hand
from cardroom.research.spiel import listed_game, spiel_game
from cardroom.rules import catalog
from tests.rules.playing import every_game

SHORT = {
    "pisti": {"preset": "single"},
    "pazaak": {"options": {"rounds_to_win": 1}},
    "shithead": {"options": {"max_turns": 40}},
    "pyanitsa": {"options": {"max_tricks": 20}},
}


def short_game(slug, **more):
    return spiel_game(slug, **{"max_length": 120, **SHORT.get(slug, {}), **more})


def drawn(state, chance):
    """Plays random actions, those of chance by their probabilities, until a seat is to act."""
    while state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chance.choices(actions, weights)[0])
    return state


def played(game, seed, moves=1_000_000):
    state, chance = game.new_initial_state(), Random(seed)
    drawn(state, chance)
    while moves and not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        drawn(state, chance)
        moves -= 1
    return state


def same(one, other):
    assert str(one) == str(other)
    assert one.history() == other.history()
    assert one.is_terminal() == other.is_terminal()
    for player in range(one.num_players()):
        assert one.information_state_string(player) == other.information_state_string(player)


@every_game
def test_openspiel_accepts_it(game):
    pyspiel.random_sim_test(short_game(game.slug), num_sims=1, serialize=False, verbose=False)


def test_openspiel_accepts_decks_dealt_card_by_card():
    game = short_game("pazaak", chance="cards", max_length=6)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@every_game
def test_a_history_is_played_again_to_the_same_state(game):
    spiel = short_game(game.slug)
    for moves in (0, 7, 1_000_000):
        state, again = played(spiel, 5, moves), spiel.new_initial_state()
        for action in state.history():
            again.apply_action(action)
        same(state, again)


@every_game
def test_copies_pickles_and_texts_go_on_alike(game):
    spiel = short_game(game.slug)
    state = played(spiel, 6, moves=5)
    text = pyspiel.serialize_game_and_state(spiel, state)
    others = [
        state.clone(),
        spiel.deserialize_state(state.serialize()),
        pyspiel.deserialize_game_and_state(text)[1],
        pickle.loads(pickle.dumps(state)),
    ]
    for other in others:
        same(state, other)
    while not state.is_terminal():
        action = state.legal_actions()[-1]
        for each in (state, *others):
            each.apply_action(action)
    for other in others:
        same(state, other)
        assert state.returns() == other.returns()


def test_games_are_loaded_by_name_with_their_parameters():
    game = pyspiel.load_game("cardroom_pisti(players=4,target_score=0,reward=margin)")
    assert game.num_players() == 4
    assert game.tree.lineup.options.target_score is None
    same_one = pickle.loads(pickle.dumps(game))
    assert str(same_one) == str(game)
    assert same_one.tree.lineup.options == game.tree.lineup.options
    assert spiel_game("pisti", preset="four").tree.lineup.options.players == 4
    assert pyspiel.load_game("cardroom_pisti(preset=four)").num_players() == 4


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"chance": "dice"}, "There is no chance 'dice'; there are: seed, cards"),
        ({"reward": "money"}, "There is no reward 'money'"),
        ({"preset": "golden"}, "golden"),
    ],
)
def test_what_cannot_be_is_named(chosen, sentence):
    with pytest.raises(BadRequest, match=sentence):
        spiel_game("pisti", **chosen)


def test_chance_deals_every_deck_by_its_true_probability():
    game = spiel_game("pazaak", chance="cards", options={"rounds_to_win": 1})
    state = game.new_initial_state()
    while state.is_chance_node() and len(state.chance_outcomes()) < 10:
        state.apply_action(state.chance_outcomes()[0][0])  # side decks first
    assert [chance for _, chance in state.chance_outcomes()] == [pytest.approx(1 / 10)] * 10
    state.apply_action(0)
    assert dict(state.chance_outcomes())[0] == pytest.approx(3 / 39)  # pazaak R4: four of each


@every_game
def test_information_is_what_the_seat_saw_and_did_and_nothing_else(game):
    state = played(short_game(game.slug), 7, moves=9)
    if state.is_terminal():
        return
    seat = state.current_player()
    imagined = [
        state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0))
        for _ in range(6)
    ]
    for other in imagined:
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.observation_tensor(seat) == state.observation_tensor(seat)
        assert other.legal_actions() == state.legal_actions()
    if game.slug in ("pisti", "shithead"):  # a rival's hand is hidden
        rival = (seat + 1) % state.num_players()
        assert len({other.information_state_string(rival) for other in imagined}) > 1


def test_an_imagined_world_tells_the_rival_nothing_of_its_true_cards():
    state = played(short_game("pisti"), 7, moves=9)
    seat = state.current_player()
    hand = set(state.node.state.hands[1 - seat])
    other = state.resample_from_infostate(seat)
    dealt = [event for event in other.node.events if getattr(event, "seat", None) == 1 - seat]
    hidden = [event for event in dealt if type(event).__name__ == "HandDealt"]
    assert hidden
    assert {event.cards for event in hidden} == {None}
    worlds = Counter(
        set(state.resample_from_infostate(seat).node.state.hands[1 - seat]) == hand
        for _ in range(20)
    )
    assert worlds[False] > 0


def test_information_recalls_what_a_view_forgets():
    game = short_game("pisti")
    state = played(game, 8, moves=30)
    before = played(game, 8, moves=28)
    text = state.information_state_string(0)
    for event in before.node.seen(0):
        assert type(event).__struct_config__.tag in text


def test_ismcts_plays_a_deal():
    game = short_game("pisti")
    state, chance = played(game, 9, moves=40), Random(1)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1),
        uct_c=2.0,
        max_simulations=15,
        random_state=None,
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
    )
    while not state.is_terminal():
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        drawn(state, chance)
    assert sum(state.returns()) == pytest.approx(0)


def test_a_match_without_end_is_ended_with_nothing_won():
    state = played(spiel_game("pyanitsa", max_length=15), 1)
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def test_no_game_is_left_out():
    names = {game.slug for game in catalog.GAMES if game.observe is not None}
    registered = set(pyspiel.registered_names())
    assert {f"cardroom_{slug}" for slug in names} <= registered


# Games cut down to a few cards are solved: counterfactual regret minimisation converges.

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
