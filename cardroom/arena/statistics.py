"""Statistics of many matches: exact histograms, quantiles, intervals.

Everything is computed from whole numbers that add up, so figures merge in any order to the same
result and no match needs to be kept.

The counts of every match: the measures that its game states, its plies and its rounds.

The totals of all events by type are kept as well.

Least squares with a few explaining numbers, for those who take luck out of scores.

Refusals of a request by the arena; ``str(error)`` is a sentence for a person.

Each error takes only this sentence, or a phrase that a door translates, so that it can be pickled
and leave a worker process.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from math import cbrt, sqrt
from statistics import fmean
from typing import Final, TypeAlias

import msgspec

from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Measure

Histogram: TypeAlias = dict[int, int]  # value → how many matches had it

Z95: Final = 1.959963984540054  # 95 % of a normal distribution lies within ± this


class Interval(msgspec.Struct, frozen=True):
    """A share or mean with its 95 % confidence interval."""

    value: float
    low: float
    high: float


class Distribution(msgspec.Struct, frozen=True):
    """A measure over all matches; quantiles are values that occurred (the median may halve)."""

    mean: Interval
    deviation: float
    median: float
    p95: int
    p99: int
    p999: int
    shortest: int
    longest: int


class Survival(msgspec.Struct, frozen=True):
    """The share of matches that lasted longer than ``length``."""

    length: int
    share: float


def wilson(successes: int, trials: int, z: float = Z95) -> Interval:
    """Wilson's score interval of a share; all of [0, 1] when nothing was tried."""
    if trials == 0:
        return Interval(0.0, 0.0, 1.0)
    return score_interval(successes / trials, trials, z)


def score_interval(share: float, trials: float, z: float = Z95) -> Interval:
    """Wilson's interval of a share found in ``trials``, which need not be a whole number."""
    scale = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / scale
    reach = z / scale * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low = 0.0 if share == 0 else centre - reach
    high = 1.0 if share == 1 else centre + reach
    return Interval(share, low, high)


def sequences_interval(
    share: float, spread: float, sequences: int, rotations: int, z: float
) -> Interval:
    """The interval of a share found in ``sequences`` of ``rotations`` matches with equal decks.

    ``spread`` is the standard deviation of the sequences' shares. It is Wilson's interval for as
    many independent matches as would spread the same. One sequence that spreads as chance would
    is added, so that a few which happen to be alike do not pass for certainty.
    """
    by_chance = share * (1 - share) / rotations
    if by_chance == 0:
        return score_interval(share, sequences * rotations, z)
    variance = (spread**2 * (sequences - 1) + by_chance) / sequences
    return score_interval(share, sequences * by_chance * rotations / variance, z)


def student95(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t, by its expansion around the normal one."""
    z, n = Z95, freedom
    first = (z**3 + z) / (4 * n)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n * n)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    return z + first + second + third


def mean_interval(values: Mapping[int, int]) -> Interval:
    """The 95 % interval of the mean of a sample of at least two.

    It is Student's, bent by the skewness of the sample (Hall's cubic transformation, 1992): where
    almost all results are alike and a few lie far to one side, the plain one holds the truth too
    seldom. If all are alike, something else may still happen once in a while: as often as the rule
    of three allows, and as far to the other side as these lie on theirs.
    """
    count, centre, spread = size(values), mean(values), deviation(values)
    if spread == 0:
        reach = 2 * abs(centre) * (1 - 0.05 ** (1 / count))
        return Interval(centre, centre - reach, centre + reach)
    skew, error, bound = skewness(values), spread / sqrt(count), student95(count - 1)
    low, high = _bent(bound, skew, count), _bent(-bound, skew, count)
    return Interval(centre, centre - error * low, centre - error * high)


def _bent(bound: float, skew: float, count: int) -> float:
    """The inverse of Hall's transformation; the plain bound of a sample without skew."""
    lean = skew / sqrt(count)
    if abs(lean) < 1e-9:
        return bound
    return 3 / lean * (cbrt(1 + lean * (bound - lean / 6)) - 1)


def skewness(histogram: Mapping[int, int]) -> float:
    """The third central moment of a sample over the cube of its deviation."""
    centre, spread = mean(histogram), deviation(histogram)
    cubes = sum((value - centre) ** 3 * times for value, times in sorted(histogram.items()))
    return cubes / size(histogram) / spread**3


def merged(histograms: Iterable[Mapping[int, int]]) -> Histogram:
    total: Histogram = {}
    for histogram in histograms:
        for value, times in histogram.items():
            total[value] = total.get(value, 0) + times
    return dict(sorted(total.items()))


def size(histogram: Mapping[int, int]) -> int:
    return sum(histogram.values())


def mean(histogram: Mapping[int, int]) -> float:
    return sum(value * times for value, times in histogram.items()) / size(histogram)


def deviation(histogram: Mapping[int, int]) -> float:
    """The standard deviation of a sample (n - 1); 0 for a single match."""
    count = size(histogram)
    if count < 2:
        return 0.0
    total = sum(value * times for value, times in histogram.items())
    squares = sum(value * value * times for value, times in histogram.items())
    return sqrt((count * squares - total * total) / (count * (count - 1)))


def quantile(histogram: Mapping[int, int], permille: int) -> int:
    """The smallest value that at least ``permille`` thousandths of the matches do not exceed."""
    needed = max(1, -(-size(histogram) * permille // 1000))
    seen = 0
    for value in sorted(histogram):
        seen += histogram[value]
        if seen >= needed:
            return value
    raise ValueError("An empty histogram has no quantiles.")


def median(histogram: Mapping[int, int]) -> float:
    """The middle value, or halfway between the two in the middle."""
    low = quantile(histogram, 500)
    if size(histogram) % 2:
        return low
    below = sum(times for value, times in histogram.items() if value <= low)
    if below * 2 > size(histogram):
        return low
    return (low + min(value for value in histogram if value > low)) / 2


def describe(histogram: Mapping[int, int]) -> Distribution:
    """The distribution in the figures a table shows; the histogram must not be empty."""
    centre, spread = mean(histogram), deviation(histogram)
    reach = Z95 * spread / sqrt(size(histogram))
    return Distribution(
        mean=Interval(centre, centre - reach, centre + reach),
        deviation=spread,
        median=median(histogram),
        p95=quantile(histogram, 950),
        p99=quantile(histogram, 990),
        p999=quantile(histogram, 999),
        shortest=min(histogram),
        longest=max(histogram),
    )


def survival(histogram: Mapping[int, int]) -> tuple[Survival, ...]:
    """The survival curve: a step down at every length that occurred, beginning with all at 0."""
    count = size(histogram)
    lengths = sorted(histogram)
    ended = accumulate(histogram[length] for length in lengths)
    steps = tuple(
        Survival(length, (count - so_far) / count)
        for length, so_far in zip(lengths, ended, strict=True)
    )
    return steps if lengths[:1] == [0] else (Survival(0, 1.0), *steps)


PLIES: Final = "plies"
ROUNDS: Final = "rounds"


def tag(kind: type[Event]) -> str:
    """The name of an event type as records and clients read it."""
    return str(kind.__struct_config__.tag)


@cache
def measures_of(game: AnyGame) -> Mapping[type[Event], tuple[Measure, ...]]:
    """The game's own measures by the type of event they count."""
    counted = {measure.event for measure in game.measures}
    return {
        kind: tuple(measure for measure in game.measures if measure.event is kind)
        for kind in counted
    }


def measure_names(game: AnyGame) -> tuple[str, ...]:
    """Everything that has a distribution, in the order a table shows it."""
    return (*(measure.name for measure in game.measures), ROUNDS, PLIES)


NOTHING: Final = 1e-9  # of a spread: what explains no more is left aside


def slopes(rows: Sequence[Sequence[float]], scores: Sequence[float]) -> list[float]:
    """By how much a score grows with each number of its row, the others unchanged; 0 where that
    cannot be told."""
    if not rows:
        return []
    middles = [fmean(column) for column in zip(*rows, strict=True)]
    centred = [[each - middle for each, middle in zip(row, middles, strict=True)] for row in rows]
    columns = list(zip(*centred, strict=True))
    products = [[_product(one, other) for other in columns] for one in columns]
    return _solved(products, [_product(column, scores) for column in columns])


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _solved(products: list[list[float]], sums: list[float]) -> list[float]:
    """By elimination, the largest spread first; what depends on the others gets 0."""
    size, left, order = len(sums), set(range(len(sums))), list[int]()
    least = NOTHING * max((products[at][at] for at in range(size)), default=0.0)
    while left and products[at := max(left, key=lambda n: products[n][n])][at] > least:
        left.remove(at)
        order.append(at)
        for row in left:
            factor = products[row][at] / products[at][at]
            sums[row] -= factor * sums[at]
            for column in left | {at}:
                products[row][column] -= factor * products[at][column]
    solution = [0.0] * size
    for at in reversed(order):
        rest = sum(products[at][n] * solution[n] for n in order if n != at)
        solution[at] = (sums[at] - rest) / products[at][at]
    return solution


class ArenaError(Exception):
    """The arena cannot do what it was asked."""


class BadRequest(ArenaError):
    """An unknown game, bot or option, or numbers that make no sense together."""


class BotFault(ArenaError):
    """A strategy raised an error, or returned a move that the rules refuse."""


class PlotsMissing(ArenaError):
    """The plotting library is not installed."""
