"""An action that is not legal is refused for the whole batch."""

import pytest

from cardroom.research.pisti.batch import PistiBatch


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
