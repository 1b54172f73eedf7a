"""What each move of a decision is worth to its seat: chances to win, with what is uncertain."""

from hashlib import sha256
from math import exp, log, sqrt
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import msgspec

from games.coaching.judging.decisions import Decision
from games.rules.bot import Bot
from games.rules.stream import Stream
from games.rules.values import Move, Weighing

VERSION: Final = 2  # of the analyses: a change of what they say makes a new one


class Choice(msgspec.Struct, frozen=True):
    """A move, the seat's chance to win with it, and the standard error of that."""

    move: Move
    chance: float
    error: float


class Cost(NamedTuple):
    """By how much a choice lowers the chance to win, and the standard error of that."""

    loss: float
    error: float


def weigh(judge: Bot[Any], decision: Decision, playouts: int) -> Weighing:
    """The moves as the judge weighs them.

    The worlds are drawn by the number of the decision alone: nothing that the seat did not see has
    a part in them.
    """
    search = judge.search
    if search is None or search.weigh is None:
        raise ValueError(f"{judge.slug} weighs no moves")
    weighed = search.weigh(decision.view, decision.events, stream(decision), playouts)
    means = [tuple([as_it_reads(mean, *search.reads) for mean in each]) for each in weighed.means]
    return Weighing(weighed.moves, tuple(means))


def as_it_reads(chance: float, shift: float, stretch: float) -> float:
    """A chance with its log-odds shifted and stretched; what is certain stays certain."""
    if not 0 < chance < 1 or (shift, stretch) == (0.0, 1.0):
        return chance
    return 1 / (1 + exp(-shift - stretch * log(chance / (1 - chance))))


def choices(weighing: Weighing) -> list[Choice]:
    """The moves from the best to the worst."""
    listed = [
        Choice(move, fmean(means), _error(means))
        for move, means in zip(weighing.moves, weighing.means, strict=True)
    ]
    return sorted(listed, key=lambda choice: -choice.chance)


def cost_of(weighing: Weighing, move: Move) -> Cost:
    """What a move costs against the best.

    The best is found in one half of the batches and compared in the other: the best of many
    uncertain numbers looks better than it is.
    """
    own = weighing.means[weighing.moves.index(move)]
    if len(own) == 1:
        return Cost(max(means[0] for means in weighing.means) - own[0], 0.0)
    halves = (slice(0, None, 2), slice(1, None, 2))
    gaps = []
    for half, other in (halves, halves[::-1]):
        best = weighing.means[_best(weighing, half)]
        gaps += [better - mine for better, mine in zip(best[other], own[other], strict=True)]
    return Cost(max(0.0, fmean(gaps)), _error(gaps))


def _best(weighing: Weighing, half: slice) -> int:
    means = [fmean(each[half]) for each in weighing.means]
    return means.index(max(means))


def _error(means: "tuple[float, ...] | list[float]") -> float:
    return stdev(means) / sqrt(len(means)) if len(means) > 1 else 0.0


def stream(decision: Decision) -> Stream:
    name = f"coach {VERSION} {decision.seat} {decision.version}"
    return Stream(int.from_bytes(sha256(name.encode()).digest()[:8]))
