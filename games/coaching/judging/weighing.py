"""What each move of a decision is worth to its seat: chances to win, with what is uncertain."""

from collections.abc import Sequence
from hashlib import sha256
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import msgspec

from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Stream
from cardroom.rules.state_fields import Line
from cardroom.rules.values import Move, Weighing
from games.coaching.judging.decisions import Decision

PLAYOUTS: Final = 256  # of each move, at least
AS_GOOD: Final = 0.005  # a loss of less is as good as none
SURE: Final = 2  # standard errors
TWO: Final = 2
CLOSER: Final = (1, 4, 16, 64)  # times the playouts, one after the other while a decision is close
ONCE: Final = (1,)
VERSION: Final = 3  # of the analyses: a change of what they say makes a new one


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
    line = search.reading.of(decision.view)
    return Weighing(weighed.moves, tuple(_as_they_read(each, line) for each in weighed.means))


class Weighed(NamedTuple):
    """A decision as it is weighed for a verdict, with so many ``playouts`` of each move.

    ``move`` is the one of those weighed that was played, or that does the same.
    """

    weighing: Weighing
    move: Move
    playouts: int

    @property
    def is_clear(self) -> bool:
        cost = cost_of(self.weighing, self.move)
        return abs(cost.loss - AS_GOOD) >= SURE * cost.error


def weigh_closely(
    game: AnyGame,
    judge: Bot[Any],
    decision: Decision,
    playouts: int,
    closer: Sequence[int] = CLOSER,
) -> Weighed | None:
    """With more playouts where it is not clear whether the move is as good as the best.

    ``None`` where the judge weighs nothing, or all moves do the same.
    """
    weighed = None
    for times in closer:
        weighing = weigh(judge, decision, times * playouts)
        move = listed(game, weighing.moves, decision.move)
        if move is None or len(set(weighing.means)) < TWO:
            return None
        weighed = Weighed(weighing, move, times * playouts)
        if weighed.is_clear:
            break
    return weighed


def listed(game: AnyGame, moves: tuple[Move, ...], played: Move) -> Move | None:
    """The weighed move that is the played one, or does the same."""
    if played in moves:
        return played
    return next((move for move in moves if game.alike(move) == game.alike(played)), None)


def _as_they_read(means: tuple[float, ...], line: Line) -> tuple[float, ...]:
    """Batches about their mean as it reads: so the moves keep their order."""
    read = [line.read(mean) for mean in means]
    off = line.read(fmean(means)) - fmean(read)
    return tuple([mean + off for mean in read])


def choices(weighing: Weighing) -> list[Choice]:
    """The moves from the best to the worst."""
    listed = [
        Choice(move, min(1.0, max(0.0, fmean(means))), _error(means))
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
