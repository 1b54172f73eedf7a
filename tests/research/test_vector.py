"""A batch as Gymnasium's vector environment: one learner a lane, rivals inside."""

import numpy
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv

from cardroom.research.batch import BATCHES, CardroomVectorEnv, any_legal, batch_of

SHORT = {
    "pisti": {"preset": "single"},
    "pazaak": {},
    "shithead": {"options": {"players": 3, "max_turns": 60}},
    "pyanitsa": {"options": {"players": 4, "max_tricks": 10}},
}
STEPS = {"pisti": 60, "pazaak": 130, "shithead": 70, "pyanitsa": 60}


def vector(slug, count=3, **more):
    return CardroomVectorEnv(batch_of(slug, count, seed=1, auto_reset=False, **SHORT[slug]), **more)


def walk(env, steps):
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
    seen = walk(env, STEPS[slug])
    assert any(any(terminated) for _, terminated, _ in seen)
    assert seen == walk(vector(slug), STEPS[slug])


def test_rivals_are_whom_one_names_and_what_a_learner_wins_they_lose():
    chosen = []

    def first_legal(observations, masks, generator):
        chosen.append(len(masks))
        return masks.argmax(axis=1)

    env = vector("pisti", seat=1, rival=first_legal)
    rewards = [reward for given, _, _ in walk(env, 60) for reward in given if reward]
    assert chosen
    assert set(rewards) <= {1.0, -1.0}
    assert rewards


def test_a_long_match_is_truncated_and_dealt_again():
    env = vector("pisti", max_steps=5)
    seen = walk(env, 11)
    assert [all(truncated) for _, _, truncated in seen] == [n in (4, 9) for n in range(11)]


def test_a_batch_that_deals_by_itself_is_refused():
    with pytest.raises(ValueError, match="auto_reset=False"):
        CardroomVectorEnv(batch_of("pisti", 2))
