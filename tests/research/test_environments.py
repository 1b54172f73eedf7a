"""Other people's tools judge the environments: PettingZoo's own tests, over every game."""

import copy
import pickle
import warnings
from functools import partial

import numpy
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

from cardroom.arena.statistics import BadRequest
from cardroom.research import environment, parallel_environment, remembering
from cardroom.research.environment import LONGEST, by_place, lineup, rewards, worth
from cardroom.research.parallel import Memory
from cardroom.rules import catalog
from cardroom.rules.cards import texts
from cardroom.rules.values import Outcome

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
PLAIN = {"max_plies": 200}  # a game that is not named above, if programs may learn it
TABLES |= {
    game.slug: PLAIN
    for game in catalog.GAMES
    if game.observe is not None and game.slug not in {name.split()[0] for name in TABLES}
}
every_table = pytest.mark.parametrize("name", TABLES)


def at(name, make=environment):
    return partial(make, name.split()[0], **TABLES[name])


def test_no_game_is_left_out():
    named = {name.split()[0] for name in TABLES}
    assert named == {game.slug for game in catalog.GAMES if game.observe is not None}


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
        ({"game": "pisti", "seats": 3}, "Pişti has no option 'seats'"),
    ],
)
def test_what_cannot_be_is_named(chosen, sentence):
    with pytest.raises(BadRequest, match=sentence):
        environment(**chosen)


def test_options_may_be_named_in_the_call():
    assert len(environment("pisti", players=4, bots={1: "greedy"}).possible_agents) == 3
    assert len(parallel_environment("shithead", players=3).possible_agents) == 3
    assert environment("pisti", options={"target_score": 51}, players=4).lineup.options == (
        PISTI.choose_options({"players": 4, "target_score": 51})
    )


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


MAKERS = (environment, parallel_environment)


def last_actions(env):
    """The last legal action of every seat of a parallel environment."""
    masks = {agent: env._observe(env.seat_of(agent))["action_mask"] for agent in env.agents}
    return {agent: int(numpy.flatnonzero(mask)[-1]) for agent, mask in masks.items()}


def on(env, count, chance):
    """Plays ``count`` steps by chance; what was seen."""
    seen = []
    for _ in range(count):
        if not env.agents or any(env.truncations.values()) or any(env.terminations.values()):
            break
        observed = env.observe(env.agent_selection)
        seen.append((env.agent_selection, observed["observation"].tolist(), env.state().tolist()))
        env.step(int(chance.choice(numpy.flatnonzero(observed["action_mask"]))))
    return seen


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize(
    ("slug", "bots"),
    [
        ("pisti", {1: "searcher:playouts=20"}),
        ("pazaak", {1: "gambler"}),
        ("shithead", {1: "keeper"}),
        ("pyanitsa", {}),
    ],
)
def test_a_copy_goes_on_with_its_bots_as_the_first_does(slug, bots, copied):
    env = environment(slug, bots=bots)
    env.reset(seed=4)
    on(env, 5, numpy.random.default_rng(1))
    other = copied(env)
    first = on(env, 12, numpy.random.default_rng(2))
    assert first == on(other, 12, numpy.random.default_rng(2))
    assert len(first) > 1
    env.reset()
    other.reset()
    assert (env.state() == other.state()).all()


def test_a_parallel_environment_is_pickled_too():
    env = parallel_environment("pazaak")
    env.reset(seed=4)
    other = pickle.loads(pickle.dumps(env))
    while env.agents:
        moves = last_actions(env)
        first, second = env.step(moves), other.step(moves)
        assert [*first[1:4]] == [*second[1:4]]
    assert not other.agents


@pytest.mark.parametrize("make", MAKERS)
def test_the_state_is_what_all_seats_observe(make):
    env = make("pisti", bots={1: "greedy"})
    env.reset(seed=2)
    assert env.state() in env.state_space
    seen = [PISTI.observe(PISTI.view(env.match.state, seat)) for seat in (0, 1)]
    assert env.state().tolist() == [list(row) for row in seen]


def test_a_match_without_end_is_truncated_unless_one_says_otherwise():
    env = environment("pazaak")  # always the first legal action: nobody wins for long
    env.reset(seed=1)
    steps = 0
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else int(observation["action_mask"].argmax()))
        steps += 1
    assert steps <= LONGEST + 5
    assert environment("pazaak", max_plies=None)._max_plies is None


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("reward", ["winners", "places", "margin"])
def test_rewards_by_who_won_by_place_and_by_margin(make, reward):
    env = make("pisti", options={"players": 3, "target_score": None}, reward=reward)
    env.reset(seed=3)
    if make is environment:
        while not any(env.terminations.values()):
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        given = env.rewards
    else:
        given = {}
        while env.agents:
            acts = {
                a: int(env._observe(env.seat_of(a))["action_mask"].argmax()) for a in env.agents
            }
            _, given, *_ = env.step(acts)
    outcome = env.match.outcome
    points = outcome.points
    expected = {
        "winners": rewards(PISTI, outcome, 3),
        "places": by_place(outcome.places),
        "margin": tuple(own - (sum(points) - own) / 2 for own in points),
    }[reward]
    assert tuple(given.values()) == pytest.approx(expected)
    assert sum(given.values()) == pytest.approx(0)


def test_partners_have_one_margin_and_fewer_places_are_better():
    partners = lineup("pisti", preset="partnership")
    outcome = Outcome((0, 2), (50, 30), "target", (1, 2, 1, 2))
    assert worth(partners, outcome, "margin") == (20, -20, 20, -20)
    assert worth(lineup("shithead"), Outcome((0,), (1, 2), "games", (1, 2)), "margin") == (1, -1)


def test_a_reward_that_there_is_not_is_named():
    with pytest.raises(BadRequest, match="There is no reward 'money'; there are: winners"):
        environment("pisti", reward="money")


@every_table
def test_pettingzoo_accepts_memory(name):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore")
        api_test(remembering(at(name)()), num_cycles=20)
        parallel_api_test(remembering(at(name, parallel_environment)()), num_cycles=20)


def test_memory_holds_the_cards_that_went_by_and_no_others():
    env = remembering(environment("pisti", preset="single"))
    env.reset(seed=1)
    memory = Memory(env.unwrapped.lineup)
    rows = {}
    for _ in range(10):
        agent = env.agent_selection
        observed = env.observe(agent)
        assert observed["memory"] in env.observation_space(agent)["memory"]
        rows[agent] = observed["memory"]
        env.step(int(observed["action_mask"].argmax()))
    seen = rows["seat_1"][:52]
    events = env.unwrapped.seen_events("seat_1")
    shown = {event.card for event in events if type(event).__name__ == "CardPlayed"}
    assert {memory.cards[at] for at in numpy.flatnonzero(seen)} >= shown - {events[-1].card}
    rival = set(texts(env.unwrapped.match.state.hands[0]))
    assert not rival & {memory.cards[at] for at in numpy.flatnonzero(seen)}
    assert rows["seat_1"][52 + 1] > 0  # what seat 0 did
    assert rows["seat_1"][54] == 1 + 1  # the newest is the rival's


def test_memory_begins_anew_with_the_round():
    env = remembering(environment("pisti"))
    env.reset(seed=1)
    for _ in range(48):  # pisti R5: the first deal
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    seen = env.observe(env.agent_selection)["memory"][:52]
    assert 4 + 1 <= seen.sum() <= 4 + 3  # own hand, the centre, a jack that was buried
