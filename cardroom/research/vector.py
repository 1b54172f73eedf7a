"""A batch as a vector environment of Gymnasium: one learner a lane, its rivals inside.

    env = CardroomVectorEnv(batch_of(slug, 256, seed=1, auto_reset=False))
    observations, _ = env.reset(seed=1)
    while training:
        actions = choose(observations["observation"], observations["action_mask"])
        observations, rewards, terminated, truncated, infos = env.step(actions)

The learner sits on seat ``lane % players`` unless ``seat`` names one for all. ``rival`` chooses for
the other seats, an action a row of ``(observations, masks, generator)``; by itself it is any legal
action. A lane whose match is over is dealt again in the same step (``AutoresetMode.SAME_STEP``):
the last observation of the match that ended is in ``infos["final_obs"]``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import numpy
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cardroom.research.batch import NOBODY, Batch
from cardroom.research.match import LONGEST

Rival: TypeAlias = Callable[[Any, Any, numpy.random.Generator], Any]
KEYS: Final = ("observation", "action_mask")


def any_legal(_observations: Any, masks: Any, generator: numpy.random.Generator) -> Any:
    """A legal action a row, each as likely as another."""
    return ((1 - generator.random(masks.shape)) * masks).argmax(axis=1)


class CardroomVectorEnv(VectorEnv):
    """See the module. ``max_steps`` of a learner truncate a match; ``ValueError`` for a batch that
    deals by itself, for then the end of a match would not be seen."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        batch: Batch,
        seat: int | None = None,
        rival: Rival = any_legal,
        max_steps: int = LONGEST,
    ) -> None:
        if batch.auto_reset:
            raise ValueError("A vector environment needs a batch with auto_reset=False.")
        self.batch, self.num_envs = batch, len(batch)
        self._rival, self._max_steps = rival, max_steps
        lanes = numpy.arange(len(batch))
        self._own = lanes % batch.players if seat is None else numpy.full(len(batch), seat)
        self.single_action_space = Discrete(batch.masks.shape[1])
        self.single_observation_space = _space_of(batch)
        self.action_space = batch_space(self.single_action_space, len(batch))
        self.observation_space = batch_space(self.single_observation_space, len(batch))
        self._chance = numpy.random.default_rng()
        self._steps = numpy.zeros(len(batch), dtype=numpy.int64)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deals every lane again; with a seed lane ``i`` plays its match ``i``."""
        if seed is not None:
            self._chance = numpy.random.default_rng(seed)
        self.batch.reset(seed)
        self._steps[:] = 0
        self._let_rivals_play(numpy.zeros(len(self.batch)))
        return self._seen(), {}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Plays for the learner of every lane, then its rivals up to its next turn."""
        rewards = numpy.zeros(len(self.batch))
        given, _ = self.batch.step(actions)
        self._gather(given, rewards)
        self._steps += 1
        self._let_rivals_play(rewards, redeal=False)
        terminated = self.batch.seats == NOBODY
        truncated = ~terminated & (self._steps >= self._max_steps)
        infos = self._begin_again(terminated | truncated)
        return self._seen(), rewards, terminated, truncated, infos

    def _begin_again(self, ended: Any) -> dict[str, Any]:
        """Deals the lanes that ended; what their learners saw last."""
        if not ended.any():
            return {}
        last = self._seen()
        final = numpy.full(len(ended), None, dtype=object)
        for lane in numpy.flatnonzero(ended):
            final[lane] = {key: last[key][lane].copy() for key in KEYS}
        self.batch.reset(lanes=ended)
        self._steps[ended] = 0
        self._let_rivals_play(numpy.zeros(len(self.batch)))
        return {"final_obs": final, "_final_obs": ended}

    def _let_rivals_play(self, rewards: Any, *, redeal: bool = True) -> None:
        """Until every learner is to act. ``redeal`` deals matches that end before it ever was."""
        batch = self.batch
        while True:
            over = batch.seats == NOBODY
            if redeal and over.any():
                batch.reset(lanes=over)
                continue
            playing = ~over & (batch.seats != self._own)
            if not playing.any():
                return
            actions = self._rival(batch.observations, batch.masks, self._chance)
            given, _ = batch.step(actions, playing=playing)
            self._gather(given, rewards)

    def _gather(self, given: Any, rewards: Any) -> None:
        rewards += given[numpy.arange(len(rewards)), self._own]

    def _seen(self) -> dict[str, Any]:
        observations, masks = self.batch.look_as(self._own)
        return dict(zip(KEYS, (observations, masks), strict=True))


def _space_of(batch: Batch) -> Dict:
    layout: Any = batch.game.observation
    least, most = (numpy.array(bound, dtype=numpy.int16) for bound in layout.bounds())
    mask = Box(0, 1, (batch.masks.shape[1],), dtype=numpy.int8)
    return Dict({"observation": Box(least, most, dtype=numpy.int16), "action_mask": mask})
