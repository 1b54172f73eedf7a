"""`make ratings-study`: what predicts best how people finish, on simulated populations.

Each population has known strengths, normal, in units of log odds. Everybody plays once a round,
with those next to them by the ratings of this service and some chance, as the lobby pairs. A
finishing order is drawn by Plackett and Luce. Every model sees the same matches and says before
each how likely its result is; the figure is the mean of minus the logarithm of that.

``oracle`` knows the strengths, which nobody can. ``optimum`` is the best that can be known of them
from the results: a filter that knows the true spread and drift, and keeps the covariance of
everybody with everybody. The others know neither; ours has its constants from other seeds.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt
from time import monotonic

import numpy as np
from openskill.models import BradleyTerryFull, PlackettLuce

from games.ratings.scale import NEWCOMER, UNIT, Belief, after, learnt
from games.ratings.scale import WEEK as ROUND

PEOPLE, ROUNDS, NOISE = 200, 120, 0.5
POPULATIONS = 2
FIRST_SEED = 9000  # the constants of the service were chosen with others
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(31)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
DRAWS = np.random.default_rng(1).normal(size=(256, 8))
DRAWS = np.concatenate([DRAWS, -DRAWS])


@dataclass(frozen=True)
class Setting:
    seats: int
    spread: float
    drift: float  # a round


SETTINGS = [
    Setting(seats, spread, drift)
    for seats in (2, 4)
    for spread, drift in ((1.0, 0.0), (1.5, 0.0), (2.0, 0.0), (1.2, 0.05))
]


def order_loss(strengths: np.ndarray, places: Sequence[int]) -> np.ndarray:
    """Minus the logarithm of Plackett and Luce's likelihood; rows of strengths at once."""
    ordered = strengths[..., np.argsort(places)]
    loss = 0.0
    for first in range(ordered.shape[-1] - 1):
        loss = loss + np.log(np.exp(ordered[..., first:] - ordered[..., [first]]).sum(-1))
    return loss


def loss_of(mean: np.ndarray, covariance: np.ndarray, places: Sequence[int]) -> float:
    """Of a result that is predicted by a normal belief."""
    if len(mean) == 2:
        winner = int(np.argmin(places))
        apart = mean[winner] - mean[1 - winner]
        spread = sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
        return -log(float((WEIGHTS / (1 + np.exp(-(apart + spread * NODES)))).sum()))
    drawn = mean + DRAWS[:, : len(mean)] @ np.linalg.cholesky(covariance).T
    return -log(float(np.exp(-order_loss(drawn, places)).mean()))


class Oracle:
    strengths: np.ndarray

    def loss(self, people: Sequence[int], places: Sequence[int]) -> float:
        return float(order_loss(self.strengths[list(people)], places))

    def learn(self, people: Sequence[int], places: Sequence[int]) -> None:
        pass

    def wait(self) -> None:
        pass


class Optimum(Oracle):
    """The normal filter of everybody at once; each match by Newton's method to its mode."""

    def __init__(self, setting: Setting) -> None:
        self.drift = setting.drift
        self.mean = np.zeros(PEOPLE)
        self.covariance = np.eye(PEOPLE) * setting.spread**2

    def loss(self, people: Sequence[int], places: Sequence[int]) -> float:
        at = np.array(people)
        return loss_of(self.mean[at], self.covariance[np.ix_(at, at)], places)

    def learn(self, people: Sequence[int], places: Sequence[int]) -> None:
        at = np.array(people)
        before, own = self.mean[at], self.covariance[np.ix_(at, at)]
        mode, later = _mode(before, own, places)
        gain = self.covariance[:, at] @ np.linalg.inv(own)
        self.mean = self.mean + gain @ (mode - before)
        self.covariance = self.covariance - gain @ (own - later) @ gain.T

    def wait(self) -> None:
        self.covariance[np.diag_indices(PEOPLE)] += self.drift**2


def _mode(
    mean: np.ndarray, covariance: np.ndarray, places: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    order, precision, mode = np.argsort(places), np.linalg.inv(covariance), mean.copy()
    for _ in range(30):
        slope, information = np.zeros(len(mean)), np.zeros((len(mean),) * 2)
        for first in range(len(order) - 1):
            left = order[first:]
            share = np.exp(mode[left] - mode[left].max())
            share /= share.sum()
            slope[order[first]] += 1
            slope[left] -= share
            information[np.ix_(left, left)] += np.diag(share) - np.outer(share, share)
        later = np.linalg.inv(precision + information)
        step = later @ (slope - precision @ (mode - mean))
        mode = mode + step
        if abs(step).max() < 1e-10:
            break
    return mode, later


class Ours(Oracle):
    """The service's own filter; a round is a week."""

    def __init__(self) -> None:
        self.beliefs: list[Belief] = [NEWCOMER] * PEOPLE

    def loss(self, people: Sequence[int], places: Sequence[int]) -> float:
        beliefs = [self.beliefs[one] for one in people]
        variances = np.diag([belief.variance for belief in beliefs])
        return loss_of(np.array([belief.mean for belief in beliefs]), variances, places)

    def learn(self, people: Sequence[int], places: Sequence[int]) -> None:
        changed = learnt([self.beliefs[one] for one in people], places)
        for one, belief in zip(people, changed, strict=True):
            self.beliefs[one] = belief

    def wait(self) -> None:
        self.beliefs = [after(belief, ROUND) for belief in self.beliefs]


class Glicko2(Oracle):
    """Each match is a rating period; of several seats each pair plays (Glickman 2012)."""

    TAU = 0.5

    def __init__(self) -> None:
        self.mean, self.deviation = np.zeros(PEOPLE), np.full(PEOPLE, 350 / UNIT)
        self.volatility = np.full(PEOPLE, 0.06)

    def loss(self, people: Sequence[int], places: Sequence[int]) -> float:
        at = list(people)
        return loss_of(self.mean[at], np.diag(self.deviation[at] ** 2), places)

    def learn(self, people: Sequence[int], places: Sequence[int]) -> None:
        new = [self._new(one, people, places) for one in range(len(people))]
        for one, (mean, deviation, volatility) in zip(people, new, strict=True):
            self.mean[one], self.deviation[one] = mean, deviation
            self.volatility[one] = volatility

    def _new(
        self, own: int, people: Sequence[int], places: Sequence[int]
    ) -> tuple[float, float, float]:
        me, information, surprise = people[own], 0.0, 0.0
        for other, them in enumerate(people):
            if other != own:
                weight = 1 / sqrt(1 + 3 * self.deviation[them] ** 2 / pi**2)
                chance = 1 / (1 + exp(-weight * (self.mean[me] - self.mean[them])))
                information += weight**2 * chance * (1 - chance)
                surprise += weight * ((places[own] < places[other]) - chance)
        volatility = self._volatility(me, 1 / information, surprise / information)
        before = self.deviation[me] ** 2 + volatility**2
        variance = 1 / (1 / before + information)
        return self.mean[me] + variance * surprise, sqrt(variance), volatility

    def _volatility(self, me: int, variance: float, delta: float) -> float:
        """The Illinois algorithm of Glickman's step 5."""
        a, phi = log(self.volatility[me] ** 2), self.deviation[me] ** 2

        def f(x: float) -> float:
            sum_ = phi + variance + exp(x)
            return exp(x) * (delta**2 - sum_) / (2 * sum_**2) - (x - a) / self.TAU**2

        high = log(delta**2 - phi - variance) if delta**2 > phi + variance else a - self.TAU
        while delta**2 <= phi + variance and f(high) < 0:
            high -= self.TAU
        low, f_low, f_high = a, f(a), f(high)
        while abs(high - low) > 1e-6:
            middle = low + (low - high) * f_low / (f_high - f_low)
            f_middle = f(middle)
            if f_middle * f_high <= 0:
                low, f_low = high, f_high
            else:
                f_low /= 2
            high, f_high = middle, f_middle
        return exp(low / 2)


class Openskill(Oracle):
    """A model of openskill, which predicts by its own means and scale."""

    def __init__(self, model: PlackettLuce | BradleyTerryFull) -> None:
        self.model = model
        self.ratings = [model.rating() for _ in range(PEOPLE)]

    def loss(self, people: Sequence[int], places: Sequence[int]) -> float:
        ratings = [self.ratings[one] for one in people]
        if len(people) == 2:
            chances = self.model.predict_win([[one] for one in ratings])
            return -log(chances[int(np.argmin(places))])
        scale = sqrt(sum(one.sigma**2 + self.model.beta**2 for one in ratings))
        return float(order_loss(np.array([one.mu for one in ratings]) / scale, places))

    def learn(self, people: Sequence[int], places: Sequence[int]) -> None:
        teams = [[self.ratings[one]] for one in people]
        for one, (rating,) in zip(
            people, self.model.rate(teams, ranks=list(map(float, places))), strict=True
        ):
            self.ratings[one] = rating


def rounds(setting: Setting, seed: int, models: dict[str, Oracle]) -> Iterator[list[list[int]]]:
    """Who plays whom; the strengths drift between the rounds."""
    random = np.random.default_rng(seed)
    strengths, ours = random.normal(0, setting.spread, PEOPLE), models["ours"]
    assert isinstance(ours, Ours)
    for _ in range(ROUNDS):
        models["oracle"].strengths = strengths
        means = np.array([belief.mean for belief in ours.beliefs])
        order = np.argsort(means + random.normal(0, NOISE, PEOPLE))
        order = np.roll(order, random.integers(0, setting.seats))
        tables = [order[at : at + setting.seats] for at in range(0, PEOPLE, setting.seats)]
        yield [list(map(int, random.permutation(table))) for table in tables]
        strengths = strengths + random.normal(0, setting.drift, PEOPLE)


def losses(setting: Setting, seed: int) -> dict[str, float]:
    models = {
        "oracle": Oracle(),
        "optimum": Optimum(setting),
        "ours": Ours(),
        "Glicko-2": Glicko2(),
        "openskill PL": Openskill(PlackettLuce()),
        "openskill BT": Openskill(BradleyTerryFull()),
    }
    random, sums, matches = np.random.default_rng(seed + 10**6), dict.fromkeys(models, 0.0), 0
    for tables in rounds(setting, seed, models):
        for people in tables:
            luck = models["oracle"].strengths[people] + random.gumbel(size=len(people))
            places = [int(place) + 1 for place in np.argsort(np.argsort(-luck))]
            matches += 1
            for name, model in models.items():
                sums[name] += model.loss(people, places)
                model.learn(people, places)
        for model in models.values():
            model.wait()
    return {name: each / matches for name, each in sums.items()}


def main() -> None:
    for setting in SETTINGS:
        begun = monotonic()
        each = [losses(setting, FIRST_SEED + number) for number in range(POPULATIONS)]
        mean = {name: sum(one[name] for one in each) / len(each) for name in each[0]}
        print(
            f"{setting.seats} seats, spread {setting.spread}, drift {setting.drift}:",
            ", ".join(
                f"{name} {value:.4f} ({100 * (value / mean['optimum'] - 1):+.2f} %)"
                for name, value in mean.items()
            ),
            f"[{monotonic() - begun:.0f} s]",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main())
