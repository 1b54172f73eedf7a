"""Beliefs as people read them: 1500 is the mean, and 400 more means ten wins to one.

So are the computers rated (``cardroom.arena.ranking``); the ratings that are shipped with the tree
are read here, without Django. All numbers of the model stand here.
"""

from datetime import datetime, timedelta
from math import log, sqrt
from pathlib import Path
from typing import Final

import msgspec

from games.ratings.strengths import DIGITS, Belief

MEAN: Final = 1500.0
UNIT: Final = 400 / log(10)
WEEK: Final = timedelta(weeks=1)
YEAR: Final = timedelta(days=366)

NEWCOMER: Final = Belief(0.0, 2.0**2)
DRIFT: Final = 0.05**2  # of the variance, a week
SETTLED: Final = (110 / UNIT) ** 2  # a larger variance is provisional
SHIPPED: Final = Path(__file__).parent / "computers.json"


class ShippedRating(msgspec.Struct, frozen=True):
    rating: int
    low: int
    high: int
    matches: int


class ShippedRatings(msgspec.Struct, frozen=True):
    """The rated computers of one game by the standard rules, and what they were then.

    ``choices`` is a hash of what they chose in some matches (``tests.strength.leaderboard``): where
    it is another one today, they play otherwise.
    """

    rated_at: datetime
    rules_version: int
    choices: str
    computers: dict[str, ShippedRating]


def rating(mean: float) -> float:
    return MEAN + UNIT * mean


def deviation(variance: float) -> float:
    return UNIT * sqrt(variance)


def belief(rating: float, deviation: float) -> Belief:
    return Belief(
        round((rating - MEAN) / UNIT, DIGITS), round((deviation / UNIT) ** 2, DIGITS) or 1e-9
    )


def after(belief: Belief, waited: timedelta) -> Belief:
    """What is known of a strength that nobody has tried for so long; never less than nothing."""
    grown = belief.variance + DRIFT * max(0.0, waited / WEEK)
    return Belief(belief.mean, round(min(grown, NEWCOMER.variance), DIGITS))


def settled_until(variance: float, at: datetime) -> datetime:
    """When the deviation of a belief of this time is provisional again; at once if it is now."""
    return at + max(0.0, SETTLED - variance) / DRIFT * WEEK


def shipped_ratings() -> dict[str, ShippedRatings]:
    """By the slugs of the games."""
    return msgspec.json.decode(SHIPPED.read_bytes(), type=dict[str, ShippedRatings])
