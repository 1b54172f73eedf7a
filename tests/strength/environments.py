"""How fast the environments for researchers are, and what the worked example learns.

Steps are counted a second of processor time on the reference core (``reference_core``). A step of a
batch is all that ``Batch.step`` does: every action is checked, played and, where a round ends,
scored and the next one dealt; matches that end give their rewards and are followed by the next; the
observation and the mask of the seat to act are written for every match. Choosing the actions, at
random here, is not in it.
"""

from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any, Final

import numpy

from cardroom.research import environment
from cardroom.research.batch import any_legal, batch_of
from cardroom.research.pisti import train
from tests.strength.contest import SCALE
from tests.strength.reference_core import Stopwatch

PIECES: Final = 20  # of a row; the reference core's piece is timed between them
LANES: Final = 4096  # matches in a batch
STEPS: Final = 5  # of a batch, in a piece
Row = tuple[str, str, bool]


def _rate(play: Callable[[Stopwatch], int], wanted: int) -> Row:
    """``play`` makes some steps, times them and says how many they were."""
    play(Stopwatch())  # compiles, or loads what is compiled
    watch = Stopwatch()
    steps = sum(play(watch) for _ in range(PIECES))
    there, here = steps / watch.there(), steps / watch.here
    return f"{there:,.0f} ({here:,.0f} on this core)", f"{wanted:,}", there >= wanted


def one_after_the_other() -> Row:
    """PettingZoo steps a second at Pişti, with mask and observation, random legal moves"""
    env, chance = environment("pisti", preset="single"), Random(1)

    def play(watch: Stopwatch) -> int:
        begun, steps = process_time(), 0
        while steps < 2_500:
            env.reset(seed=steps)
            for _ in env.agent_iter():
                observation, _, terminated, _, _ = env.last()
                legal = observation["action_mask"].nonzero()[0]
                env.step(None if terminated else int(legal[int(chance.random() * len(legal))]))
                steps += not terminated
        watch.add(process_time() - begun)
        return steps

    return _rate(play, 40_000)


def side_by_side() -> Row:
    """Steps a second of 4,096 deals of Pişti in one batch (what is in a step: see the module)"""
    return _batched("pisti", 1_000_000, preset="single")


def side_by_side_at_pazaak() -> Row:
    """Steps a second of 4,096 matches of Pazaak in one batch (likewise)"""
    return _batched("pazaak", 500_000)


def side_by_side_at_shithead() -> Row:
    """Steps a second of 4,096 matches of Shithead in one batch (likewise; 3,071 actions)"""
    return _batched("shithead", 100_000)


def side_by_side_at_pyanitsa() -> Row:
    """Steps a second of 4,096 matches of Pyanitsa in one batch (likewise)"""
    return _batched("pyanitsa", 1_000_000)


def _batched(slug: str, wanted: int, **chosen: Any) -> Row:
    batch, chance = batch_of(slug, LANES, seed=1, **chosen), numpy.random.default_rng(1)

    def play(watch: Stopwatch) -> int:
        for _ in range(STEPS):
            actions = any_legal(batch.observations, batch.masks, chance)
            begun = process_time()
            batch.step(actions)
            watch.add(process_time() - begun)
        return STEPS * LANES

    return _rate(play, wanted)


def worked_example() -> Row:
    """The share of matches that `train_pisti` wins against greedy after two minutes, in percent"""
    training = train.train(seed=1, seconds=120 * SCALE)
    share, error = train.wins(training.network, matches=max(10, int(300 * SCALE)), seed=1001)
    deals = training.progress[-1][0]
    figure = f"{share:.1%} ± {1.96 * error:.1%} after {deals:,.0f} deals on one core"
    return figure, "55 %", share - 1.96 * error > 0.55


ROWS = (
    *(one_after_the_other, side_by_side, worked_example, side_by_side_at_pazaak),
    *(side_by_side_at_shithead, side_by_side_at_pyanitsa),
)
