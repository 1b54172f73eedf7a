"""The Wilson interval of a share. The arena has one too, but decks stand below the arena."""

from math import sqrt
from typing import Final, NamedTuple

Z95: Final = 1.959963984540054  # 95 % of a normal distribution lies within ± this


class Interval(NamedTuple):
    value: float
    low: float
    high: float


def wilson(successes: int, trials: int) -> Interval:
    """A share with its 95 % confidence interval; all of [0, 1] when nothing was tried."""
    if trials == 0:
        return Interval(0.0, 0.0, 1.0)
    share, spread = successes / trials, Z95 * Z95 / trials
    centre = share + spread / 2
    reach = sqrt(share * (1 - share) * spread + spread * spread / 4)
    low, high = (centre - reach) / (1 + spread), (centre + reach) / (1 + spread)
    return Interval(share, max(0.0, low), min(1.0, high))
