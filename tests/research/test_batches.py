"""Matches side by side are those of the environment, state by state, in every game."""

import numpy
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv

from cardroom.arena.statistics import BadRequest
from cardroom.research.batch import BATCHES, NOBODY, CardroomVectorEnv, any_legal, batch_of
from cardroom.research.environment import REWARDS, RunningMatch, lineup, worth
from cardroom.research.pisti.batch import PistiBatch

SPECIALS = ["D", "T", "F12", "F36", "PM12", "M1", "M2", "PM3", "P1", "P6"]
TABLES = (
    ("pisti", {"preset": "single"}),
    ("pisti", {"options": {"target_score": 30, "bottom_card": "exposed"}}),
    ("pisti", {"preset": "partnership", "options": {"target_score": 20}}),
    ("pisti", {"options": {"players": 3, "target_score": 20, "starter_rule": "fixed"}}),
    ("pazaak", {}),
    ("pazaak", {"preset": "kotor2", "options": {"specials_take_slot": True}}),
    ("pazaak", {"options": {"next_starter": "loser", "tiebreaker_scope": "played_this_round"},
                "side_decks": [SPECIALS] * 2}),
    ("shithead", {"options": {"games": 2}}),
    ("shithead", {"preset": "traditional", "options": {"players": 4, "pickup": "voluntary"}}),
    ("shithead", {"options": {"players": 3, "exchange": False, "joker_top": "transparent",
                              "refill": "up_to_three", "first_starter": "lowest_card"}}),
    ("pyanitsa", {"options": {"max_tricks": 60}}),
    ("pyanitsa", {"options": {"players": 5, "deck": 54, "dispute": "mortgage", "max_tricks": 40,
                              "short_dispute": "loses", "leader": "rotate"}}),
    ("pyanitsa", {"options": {"players": 3, "goal": "giveaway", "recycle": "shuffle",
                              "collect_order": "own_first", "leader": "fixed"}}),
)  # fmt: skip
MOVES, ENOUGH, LANES = 200, 80, 2  # enough where matches have ended by then
# Rewards are independent of observations: the others are tried at one table of each game.
ONE_OF_EACH = {slug: (slug, chosen) for slug, chosen in reversed(TABLES)}.values()
PAID = [(*table, "winners") for table in TABLES]
PAID += [(*table, reward) for table in ONE_OF_EACH for reward in REWARDS if reward != "winners"]


def seen_by(match, seat):
    return list(match.observed(seat)), set(match.moves(seat)) if seat in match.to_act else set()


def written(at, observations, masks):
    return observations[at].tolist(), set(numpy.flatnonzero(masks[at]))


@pytest.mark.parametrize(("slug", "chosen", "reward"), PAID)
def test_the_environment_sees_the_same_in_every_state(slug, chosen, reward):
    batch, played = batch_of(slug, LANES, seed=11, reward=reward, **chosen), lineup(slug, **chosen)
    matches = [RunningMatch(played, 11, number) for number in range(LANES)]
    chance, ended = numpy.random.default_rng(1), 0
    for ply in range(MOVES if reward == "winners" else 60):
        looks = [(seat, batch.look_as([seat] * LANES)) for seat in range(batch.players)][
            ply % 7 :: 7
        ]
        actions = []
        for at, match in enumerate(matches):
            seat = match.to_act[0]
            assert batch.seats[at] == seat
            assert written(at, batch.observations, batch.masks) == seen_by(match, seat)
            for other, (observations, masks) in looks:
                assert written(at, observations, masks) == seen_by(match, other)
            actions.append(int(chance.choice(sorted(match.moves(seat)))))
        given, over = batch.step(actions)
        for at, action in enumerate(actions):
            match = matches[at]
            match.play(match.to_act[0], match.moves(match.to_act[0])[action])
            assert over[at] == (match.outcome is not None)
            if match.outcome is None:
                assert not given[at].any()
                continue
            assert given[at] == pytest.approx(worth(played, match.outcome, reward))
            matches[at] = RunningMatch(played, 11, int(batch.numbers[at]))
            ended += 1
        if ended > LANES and ply > ENOUGH:
            break
    assert ended or slug == "shithead" or reward != "winners"


def walk(batch, steps, seed):
    """The results of ``steps`` random legal actions."""
    chance, seen = numpy.random.default_rng(seed), []
    for _ in range(steps):
        actions = [int(chance.choice(numpy.flatnonzero(mask))) for mask in batch.masks]
        given, over = batch.step(actions)
        seen.append((batch.observations.tolist(), given.tolist(), over.tolist()))
    return seen


@pytest.mark.parametrize("slug", BATCHES)
def test_a_seed_deals_the_same_again_and_a_reset_without_one_the_next(slug):
    batch = batch_of(slug, 4, seed=5)
    first = batch.observations.copy()
    walk(batch, 9, 1)
    batch.reset(5)
    assert (batch.observations == first).all()
    batch.reset()
    assert batch.numbers.tolist() == [4, 5, 6, 7]
    batch.reset(5, lanes=[2], numbers=[0])
    assert (batch.observations[2] == first[0]).all()
    assert batch.numbers.tolist() == [4, 5, 0, 7]


@pytest.mark.parametrize("slug", BATCHES)
def test_a_saved_match_goes_on_in_another_lane(slug):
    batch = batch_of(slug, 2, seed=5)
    walk(batch, 7, 1)
    saved = batch.save(0)
    other = batch_of(slug, 2, seed=99)
    for lane in (0, 1):
        other.load(lane, saved)
    assert (other.observations == batch.observations[0]).all()
    for _ in range(30):
        batch.step(batch.masks.argmax(axis=1))
        other.step(other.masks.argmax(axis=1))
        assert (other.observations == batch.observations[0]).all()
        if batch.numbers[0] != saved.number:
            break  # the next match has another number in a batch of another size


@pytest.mark.parametrize("slug", BATCHES)
def test_lanes_that_do_not_play_stay_as_they_are(slug):
    batch = batch_of(slug, 3, seed=5)
    before = batch.observations.copy()
    batch.step(batch.masks.argmax(axis=1), playing=[False, True, False])
    assert (batch.observations[[0, 2]] == before[[0, 2]]).all()
    assert (batch.observations[1] != before[1]).any()


def test_without_auto_reset_a_match_that_is_over_waits():
    batch = batch_of("pisti", 2, preset="single", seed=1, auto_reset=False)
    for _ in range(48):  # pisti R5: every card of the deal
        _, over = batch.step(batch.masks.argmax(axis=1))
    assert over.all()
    assert batch.seats.tolist() == [NOBODY, NOBODY]
    assert not batch.masks.any()
    with pytest.raises(ValueError, match="is not legal in match 0"):
        batch.step([0, 0])
    batch.reset(lanes=[1])
    assert batch.seats[0] == NOBODY
    assert batch.masks[1].sum() == 4
    assert batch.numbers.tolist() == [0, 3]


def test_a_whole_deal_ends_as_the_rules_end_it():
    batch = batch_of("pisti", 2, preset="single", seed=1, auto_reset=False)
    match = RunningMatch(lineup("pisti", preset="single"), 1, 0)
    for _ in range(48):
        action = int(batch.masks[0].argmax())
        batch.step(batch.masks.argmax(axis=1))
        match.play(match.to_act[0], match.moves(match.to_act[0])[action])
    for seat in (0, 1):
        observations, masks = batch.look_as([seat, seat])
        assert written(0, observations, masks) == seen_by(match, seat)


@pytest.mark.parametrize(
    ("slug", "chosen", "sentence"),
    [
        ("durak", {}, "There are no batches of 'durak'; there are of: pazaak, pisti"),
        ("pyanitsa", {"options": {"collect_order": "arbitrary"}}, "does not play collect_order"),
        ("pisti", {"reward": "money"}, "There is no reward 'money'"),
    ],
)
def test_what_cannot_be_is_named(slug, chosen, sentence):
    with pytest.raises(BadRequest, match=sentence):
        batch_of(slug, 2, **chosen)


# An action that is not legal is refused for the whole batch.


def test_an_illegal_action_is_named_and_nothing_is_played():
    batch = PistiBatch(4, preset="single", seed=1)
    before, actions = batch.observations.copy(), batch.masks.argmax(axis=1)
    for wrong in (-1, 52, int(batch.masks[2].argmin())):
        actions[2] = wrong
        with pytest.raises(ValueError, match="is not legal in match 2"):
            batch.step(actions)
    with pytest.raises(ValueError, match="There are 4 matches"):
        batch.step(actions[:3])
    assert (batch.observations == before).all()


# A batch as Gymnasium's vector environment: one learner a lane, rivals inside.

SHORT = {
    "pisti": {"preset": "single"},
    "pazaak": {},
    "shithead": {"options": {"players": 3, "max_turns": 60}},
    "pyanitsa": {"options": {"players": 4, "max_tricks": 10}},
}
STEPS = {"pisti": 60, "pazaak": 130, "shithead": 70, "pyanitsa": 60}


def vector(slug, count=3, **more):
    return CardroomVectorEnv(batch_of(slug, count, seed=1, auto_reset=False, **SHORT[slug]), **more)


def vector_walk(env, steps):
    observations, infos = env.reset(seed=3)
    chance, seen = numpy.random.default_rng(1), []
    assert observations in env.observation_space
    assert infos == {}
    for _ in range(steps):
        actions = any_legal(observations["observation"], observations["action_mask"], chance)
        assert actions in env.action_space
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert observations in env.observation_space
        assert observations["action_mask"].any(axis=1).all()
        assert (env.batch.seats == env._own).all()
        assert not rewards[~terminated].any()
        ended = terminated | truncated
        assert ("final_obs" in infos) == ended.any()
        for lane in numpy.flatnonzero(ended):
            assert not infos["final_obs"][lane]["action_mask"].any() or truncated[lane]
        seen.append((rewards.tolist(), terminated.tolist(), truncated.tolist()))
    return seen


@pytest.mark.parametrize("slug", BATCHES)
def test_learners_of_every_seat_play_match_after_match(slug):
    env = vector(slug)
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    seen = vector_walk(env, STEPS[slug])
    assert any(any(terminated) for _, terminated, _ in seen)
    assert seen == vector_walk(vector(slug), STEPS[slug])


def test_rivals_are_whom_one_names_and_what_a_learner_wins_they_lose():
    chosen = []

    def first_legal(observations, masks, generator):
        chosen.append(len(masks))
        return masks.argmax(axis=1)

    env = vector("pisti", seat=1, rival=first_legal)
    rewards = [reward for given, _, _ in vector_walk(env, 60) for reward in given if reward]
    assert chosen
    assert set(rewards) <= {1.0, -1.0}
    assert rewards


def test_a_long_match_is_truncated_and_dealt_again():
    env = vector("pisti", max_steps=5)
    seen = vector_walk(env, 11)
    assert [all(truncated) for _, _, truncated in seen] == [n in (4, 9) for n in range(11)]


def test_a_batch_that_deals_by_itself_is_refused():
    with pytest.raises(ValueError, match="auto_reset=False"):
        CardroomVectorEnv(batch_of("pisti", 2))
