"""Other people's tools judge the environments: PettingZoo's own tests, over every game."""

import warnings
from functools import partial

import numpy
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

from games.arena.errors import BadRequest
from games.research import environment, parallel_environment
from games.research.match import rewards
from games.rules import catalog
from games.rules.values import Outcome

TABLES = {
    "pisti": {"preset": "single"},
    "pisti in teams": {"preset": "partnership"},
    "pisti with three seats": {"options": {"players": 3}},
    "pazaak": {},
    "pazaak by the rules of kotor1": {"preset": "kotor1"},
    "shithead": {},
    "shithead with eight seats": {"options": {"players": 8}, "max_plies": 200},
    "pyanitsa": {"max_plies": 200},
    "pyanitsa with eight seats": {
        "options": {"players": 8, "collect_order": "arbitrary"},
        "max_plies": 200,
    },
}
every_table = pytest.mark.parametrize("name", TABLES)


def at(name, make=environment):
    return partial(make, name.split()[0], **TABLES[name])


def test_no_game_is_left_out():
    assert {name.split()[0] for name in TABLES} == {game.slug for game in catalog.GAMES}


@every_table
def test_pettingzoo_accepts_it(name, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # An observation with a mask is a dictionary, as in PettingZoo's own card games.
        warnings.filterwarnings("ignore", "Observation space for each agent probably")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(at(name)(), num_cycles=60)
        seed_test(at(name), num_cycles=30)


@every_table
def test_pettingzoo_accepts_the_parallel_one(name, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(at(name, parallel_environment)(), num_cycles=60)


def test_pettingzoo_can_render_it(capsys):
    render_test(at("pisti"))
    assert "plays" in capsys.readouterr().out


def play(env, seed):
    """A match of random legal actions; the rewards of every agent."""
    env.reset(seed=seed)
    rewards, chance = {}, numpy.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        over = terminated or truncated
        if over:
            rewards[agent] = reward
        legal = numpy.flatnonzero(observation["action_mask"])
        env.step(None if over else int(chance.choice(legal)))
    return rewards


@pytest.mark.parametrize("name", ["pisti", "pisti in teams", "pazaak", "shithead"])
def test_what_one_wins_the_others_lose(name):
    rewards = play(at(name)(), seed=3)
    assert len(rewards) == len(at(name)().possible_agents)
    assert sum(rewards.values()) == pytest.approx(0)
    assert max(rewards.values()) > 0


def test_partners_are_rewarded_alike():
    rewards = play(at("pisti in teams")(), seed=5)
    assert rewards["seat_0"] == rewards["seat_2"] == -rewards["seat_1"] == -rewards["seat_3"]


def test_a_bot_takes_a_seat_and_moves_by_itself():
    env = environment("pisti", preset="single", bots={1: "greedy"})
    assert play(env, seed=1).keys() == {"seat_0"}
    assert env.match.plies == 1 + 48  # the deal, and every card of both seats
    again = environment("pisti", preset="single", bots={1: "greedy"})
    assert play(again, seed=1) == play(env, seed=1)


def test_a_seed_is_a_match_and_the_next_reset_another():
    env = at("pisti")()
    hands = []
    for seed in (1, None, None, 1):
        env.reset(seed=seed)
        hands.append(env.match.state.hands)
    assert hands[0] == hands[3]
    assert len({hands[0], hands[1], hands[2]}) == 3


def test_an_illegal_action_is_refused_and_changes_nothing():
    env = at("pisti")()
    env.reset(seed=1)
    before, agent = env.match.state, env.agent_selection
    mask = env.observe(agent)["action_mask"]
    for action in (int(numpy.flatnonzero(mask == 0)[0]), 99, -1, None):
        with pytest.raises(ValueError, match="is not legal here; legal are"):
            env.step(action)
    assert (env.match.state, env.agent_selection) == (before, agent)


def test_a_longer_match_is_cut_off():
    env = environment("pyanitsa", max_plies=10)
    env.reset(seed=1)
    for _ in range(10):
        env.step(0)
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}


def test_events_are_those_of_the_own_seat():
    env = at("pisti")()
    env.reset(seed=1)
    dealt = [event for event in env.seen_events("seat_0") if type(event).__name__ == "HandDealt"]
    assert [event.cards is None for event in dealt] == [False, True]


def test_seats_that_act_at_once_do_so_in_one_step():
    env = parallel_environment("shithead", preset="traditional")
    env.reset(seed=1)
    ready = catalog.find("shithead").actions.texts.index("ready")
    observations, *_ = env.step(dict.fromkeys(env.agents, ready))  # shithead R4
    masks = [observations[agent]["action_mask"] for agent in env.agents]
    assert sorted(int(mask[env.wait]) for mask in masks) == [0, 1]  # one plays, the other waits


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"game": "bridge"}, "There is no game 'bridge'"),
        ({"game": "pisti", "bots": {1: "nobody"}}, "Pişti has no bot 'nobody'"),
        ({"game": "pisti", "bots": {2: "greedy"}}, "There is no seat 2; seats are 0 to 1."),
        ({"game": "pisti", "bots": {0: "greedy", 1: "greedy"}}, "leave at least one"),
        ({"game": "pisti", "options": {"seats": 3}}, "Pişti has no option 'seats'"),
    ],
)
def test_what_cannot_be_is_named(chosen, sentence):
    with pytest.raises(BadRequest, match=sentence):
        environment(**chosen)


SHITHEAD, PISTI = catalog.find("shithead"), catalog.find("pisti")


@pytest.mark.parametrize(
    ("places", "worth"),
    [
        ((1, 2), (1, -1)),
        ((1, 1, 1, 4), (1 / 3, 1 / 3, 1 / 3, -1)),  # one loser, as in Durak
        ((2, 1, 3, 4), (1 / 3, 1, -1 / 3, -1)),
        ((1, 1, 1), (0, 0, 0)),
    ],
)
def test_where_points_are_places_every_place_counts(places, worth):
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    outcome = Outcome(winners, places, "shed", places)
    assert rewards(SHITHEAD, outcome, len(places)) == pytest.approx(worth)


def test_elsewhere_winners_share_what_the_others_lose():
    outcome = Outcome((0, 1), (9, 9, 3), "points", (1, 1, 3))
    assert rewards(PISTI, outcome, 3) == pytest.approx((1 / 4, 1 / 4, -1 / 2))


def test_the_shed_of_a_large_table_loses_all():
    worth = play(environment("shithead", options={"players": 5, "games": 1}), seed=2)
    assert sorted(worth.values()) == pytest.approx([-1, -0.5, 0, 0.5, 1])
