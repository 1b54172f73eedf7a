"""The scale of ratings: boards, strengths of computers, numbers as shown.

So are the computers rated (``cardroom.arena.ranking``); the ratings that are shipped with the tree
are read here, without Django. All numbers of the model stand here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import combinations
from math import comb, exp, log, pi, sqrt
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Words, say
from games.matches.time_bank import Clock

# How strong somebody is, as far as results tell: a normal belief, and what a match makes of it.
#
# The likelihood of a finishing order is Plackett and Luce's, of two sides Bradley and Terry's:
# the first place goes to each side in proportion to ``exp(strength)``, the next among those who
# are left. Sides of one place are taken in every order alike. The belief after a match is the
# normal one at the mode of likelihood times belief (Laplace), which is found by Newton's method;
# of it only the diagonal is kept. Why this one and not Glicko-2 or one of openskill's:
# docs/ratings.md.
#
# Numbers are added in the order of the seats and rounded once at the end, so that the same
# matches make the same ratings to the last bit, on machines whose ``exp`` differs in the last bit
# too.

STEPS: Final = 20
CLOSE: Final = 1e-10
DIGITS: Final = 9

Matrix = list[list[float]]


class Belief(NamedTuple):
    """A strength in units of log odds: one more unit multiplies the odds by e."""

    mean: float
    variance: float


class Choice(NamedTuple):
    """One place goes to one side of several; ``weight``: of so many equal orders this one."""

    weight: float
    among: tuple[int, ...]


def updated(sides: Sequence[Belief], places: Sequence[int]) -> list[Belief]:
    """The beliefs after a match of these sides; equal places are a draw."""
    mode, inverse = [side.mean for side in sides], [1 / side.variance for side in sides]
    choices = _choices(tuple(places))
    for _ in range(STEPS):
        gradient, information = _likelihood(mode, choices)
        for one, side in enumerate(sides):
            gradient[one] += (side.mean - mode[one]) * inverse[one]
            information[one][one] += inverse[one]
        covariance = _inverted(information)
        step = [sum(a * b for a, b in zip(row, gradient, strict=True)) for row in covariance]
        mode = [at + by for at, by in zip(mode, step, strict=True)]
        if max(abs(by) for by in step) < CLOSE:
            break
    return [
        Belief(round(at, DIGITS), round(covariance[one][one], DIGITS))
        for one, at in enumerate(mode)
    ]


def learnt(sides: Sequence[Belief], places: Sequence[int]) -> list[Belief]:
    """The beliefs after a match, where opponents who are less known than oneself weigh less.

    By the square of how much less: else new accounts that lose on purpose give most. Between those
    who are equally known nothing changes.
    """
    return [
        Belief(
            round(was.mean + weight * (becomes.mean - was.mean), DIGITS),
            round(was.variance + weight * (becomes.variance - was.variance), DIGITS),
        )
        for was, becomes, weight in zip(sides, updated(sides, places), _weights(sides), strict=True)
    ]


def _weights(sides: Sequence[Belief]) -> Iterator[float]:
    for at, own in enumerate(sides):
        each = [
            min(1.0, own.variance / other.variance) ** 2 for n, other in enumerate(sides) if n != at
        ]
        yield sum(each) / len(each)


def expected(one: Belief, other: Belief) -> float:
    """The probability that the first of two sides wins, as far as the beliefs know."""
    spread = sqrt(1 + pi * (one.variance + other.variance) / 8)
    return 1 / (1 + exp((other.mean - one.mean) / spread))


def _likelihood(mode: Sequence[float], choices: Sequence[Choice]) -> tuple[list[float], Matrix]:
    """The slope of the logarithm at these strengths, and its curvature."""
    highest = max(mode)
    odds = [exp(at - highest) for at in mode]
    slope = [1.0] * len(mode)
    curvature = [[0.0] * len(mode) for _ in mode]
    for weight, among in choices:
        whole = sum(odds[one] for one in among)
        share = [odds[one] / whole for one in among]
        for one, part in zip(among, share, strict=True):
            slope[one] -= weight * part
            row = curvature[one]
            row[one] += weight * part
            for other, its in zip(among, share, strict=True):
                row[other] -= weight * part * its
    return slope, curvature


@lru_cache(maxsize=4096)
def _choices(places: tuple[int, ...]) -> tuple[Choice, ...]:
    return tuple(_each_choice(places))


def _each_choice(places: tuple[int, ...]) -> Iterator[Choice]:
    """Of ``k`` sides on one place each number of them is left once, each set of as many alike."""
    for place in sorted(set(places)):
        equal = [side for side, its in enumerate(places) if its == place]
        behind = [side for side, its in enumerate(places) if its > place]
        for left in range(1, len(equal) + 1):
            for among in combinations(equal, left):
                yield Choice(1 / comb(len(equal), left), tuple(sorted([*among, *behind])))


def _inverted(matrix: Matrix) -> Matrix:
    """Of a symmetric positive matrix, by elimination without a choice of rows."""
    size = len(matrix)
    rows = [[*row, *(float(at == one) for at in range(size))] for one, row in enumerate(matrix)]
    for one, pivot in enumerate(rows):
        by = pivot[one]
        pivot[:] = [value / by for value in pivot]
        for other, row in enumerate(rows):
            if other != one and row[one]:
                factor = row[one]
                row[:] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    return [row[size:] for row in rows]


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
    """The belief in a strength that nobody has tried for so long; never less than nothing."""
    grown = belief.variance + DRIFT * max(0.0, waited / WEEK)
    return Belief(belief.mean, round(min(grown, NEWCOMER.variance), DIGITS))


def settled_until(variance: float, at: datetime) -> datetime:
    """The time at which the deviation of a belief is provisional again; at once if it is now."""
    return at + max(0.0, SETTLED - variance) / DRIFT * WEEK


def shipped_ratings() -> dict[str, ShippedRatings]:
    """By the slugs of the games."""
    return msgspec.json.decode(SHIPPED.read_bytes(), type=dict[str, ShippedRatings])


# Boards: a game, how fast, between two sides or more, against people or computers.

BLITZ: Final = "blitz"
NORMAL: Final = "normal"
SLOW: Final = "slow"
MIRRORED: Final = "mirrored"  # sets of mirrored matches, whatever their pace
TWO: Final = "two"
MORE: Final = "more"
PEOPLE: Final = "people"
COMPUTERS: Final = "computers"

PACES: Final[dict[str, Words]] = {
    BLITZ: say("Blitz"),
    NORMAL: say("Normal"),
    SLOW: say("Slow"),
    MIRRORED: say("Mirrored"),
}
SIDES: Final[dict[str, Words]] = {TWO: say("Two sides"), MORE: say("More than two sides")}
OPPONENTS: Final[dict[str, Words]] = {
    PEOPLE: say("Against people"),
    COMPUTERS: say("Against computers"),
}

DAY: Final = 24 * 3600
BLITZ_SECONDS: Final = 30  # a move
BLITZ_BANK: Final = 300  # seconds of a clock


@dataclass(frozen=True, order=True)
class Board:
    """The text of it is stored: ``<slug>/normal/two/people``."""

    game: str
    pace: str = NORMAL
    sides: str = TWO
    opponents: str = PEOPLE

    def __str__(self) -> str:
        return f"{self.game}/{self.pace}/{self.sides}/{self.opponents}"


def find_board(text: str) -> Board:
    """Raises ``KeyError``."""
    parts = text.split("/")
    if len(parts) != 4:
        raise KeyError(text)
    game, pace, sides, opponents = parts
    if pace not in PACES or sides not in SIDES or opponents not in OPPONENTS:
        raise KeyError(text)
    return Board(game, pace, sides, opponents)


def pace_of(turn_seconds: int | None, clock: Clock | None) -> str:
    """A match without any limit is slow."""
    if clock is not None:
        return BLITZ if clock.bank <= BLITZ_BANK else NORMAL
    if turn_seconds is None or turn_seconds >= DAY:
        return SLOW
    return BLITZ if turn_seconds <= BLITZ_SECONDS else NORMAL


def boards_of(game: AnyGame) -> Iterator[Board]:
    """Every board that a game may have."""
    sizes = [TWO, MORE] if game.max_seats > 2 else [TWO]
    for opponents in OPPONENTS:
        for sides in sizes:
            for pace in PACES:
                if pace != MIRRORED or sides == TWO:
                    yield Board(game.slug, pace, sides, opponents)


def rated_games() -> list[AnyGame]:
    return [game for game in catalog.GAMES if not game.is_luck]
