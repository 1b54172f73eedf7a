"""Deals side by side are the deals of the environment, observation by observation."""

import numpy
import pytest

from games.research.lineup import lineup
from games.research.match import RunningMatch, rewards
from games.research.pisti.batch import PistiBatch
from games.rules import catalog

PISTI = catalog.find("pisti")
TABLES = (
    {"preset": "single"},
    {"options": {"target_score": 30}},
    {"preset": "partnership", "options": {"target_score": 20}},
    {"options": {"players": 3, "target_score": 20, "starter_rule": "fixed"}},
)


@pytest.mark.parametrize("chosen", TABLES)
def test_the_environment_sees_the_same(chosen):
    batch = PistiBatch(3, seed=11, **chosen)
    matches = [RunningMatch(lineup("pisti", **chosen), 11, number) for number in range(3)]
    chance = numpy.random.default_rng(1)
    for _ in range(220):
        actions = []
        for at, match in enumerate(matches):
            (seat,) = match.to_act
            assert batch.seats[at] == seat
            observed = PISTI.observe(PISTI.view(match.state, seat))
            assert batch.observations[at].tolist() == list(observed)
            assert set(numpy.flatnonzero(batch.masks[at])) == set(match.moves(seat))
            actions.append(int(chance.choice(list(match.moves(seat)))))
        given, over = batch.step(actions)
        for at, action in enumerate(actions):
            match = matches[at]
            match.play(match.to_act[0], match.moves(match.to_act[0])[action])
            assert over[at] == (match.outcome is not None)
            if match.outcome is None:
                assert not given[at].any()
                continue
            assert given[at] == pytest.approx(rewards(match.game, match.outcome, batch.players))
            matches[at] = RunningMatch(lineup("pisti", **chosen), 11, int(batch.numbers[at]))


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
