"""Results with the luck of the cards taken out: the same mean, a smaller interval.

At each step of chance the worth of what fell is compared with the mean worth of all that could have
fallen (AIVAT, Burch et al. 2018, for chance alone: what bots do is not corrected). The differences
are nothing in the mean, whatever the guess of worth is, so the mean of the results stays what it
is. The matches are those of the same seed without it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import sqrt
from random import Random
from statistics import fmean, variance
from typing import Any, Final

import msgspec

from games.arena.errors import BadRequest
from games.arena.request import Part, SimulationRequest, series
from games.arena.series import Series, generator
from games.arena.statistics import Interval, student95
from games.rules.chances import Chances
from games.rules.game import AnyGame
from games.rules.shuffles import Shuffle, seeded
from games.rules.values import Move, Options, Outcome, Seat, Setup, State, Step

SAMPLES: Final = 12  # of what could have fallen, where that cannot be listed
LEAST_GROUPS: Final = 2


class AdjustedMatch(msgspec.Struct, frozen=True):
    """A match by its number and the number of its decks: by seat who sat there, its score, luck.

    A seat's score is 1 for a win; sides that share the first place share it. ``luck`` is what the
    cards added to it.
    """

    number: int
    decks: int
    seats: tuple[str, ...]
    scores: tuple[float, ...]
    luck: tuple[float, ...]


class AdjustedScore(msgspec.Struct, frozen=True):
    """The mean score as it was and without luck. ``factor``: so many times as many matches would
    give the plain mean the interval of the other one."""

    name: str
    plain: Interval
    adjusted: Interval
    factor: float


def check(game: AnyGame) -> None:
    """Raises ``BadRequest`` where a game does not say how its luck falls."""
    if game.chances is None:
        raise BadRequest(f"{game.name} does not say how its luck falls, so none can be taken out.")


def run_adjusted(
    request: SimulationRequest, part: Part, *, custom: bool = False
) -> list[AdjustedMatch]:
    """Plays one part by the rules. Pure, as ``run_part``."""
    matches = series(request, custom=custom)
    check(matches.game)
    return [play_adjusted(matches, part.first + at) for at in range(part.games)]


def play_adjusted(matches: Series, number: int) -> AdjustedMatch:
    watch = Watch(matches.game, generator(matches.seed, "luck", number))
    playout = replace(matches, game=watch.game).play(number)
    sides = matches.game.sides_of(matches.options)
    side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
    scores = scores_of(playout.outcome, sides)
    decks, rotation = divmod(number, len(matches.seatings))
    seated = matches.seatings[rotation]
    return AdjustedMatch(
        number,
        decks,
        tuple(each.name for each in seated),
        tuple(scores[side_of[seat]] for seat in range(len(seated))),
        tuple(watch.luck[side_of[seat]] for seat in range(len(seated))),
    )


def scores_of(outcome: Outcome, sides: Sequence[Sequence[Seat]]) -> list[float]:
    first = [bool(set(side) & set(outcome.winners)) for side in sides]
    return [won / max(1, sum(first)) for won in first]


class Watch:
    """A game that is played as it is, and adds up by side what its chance was worth."""

    def __init__(self, game: AnyGame, rng: Random, samples: int = SAMPLES) -> None:
        check(game)
        self._plain, self._rng, self._samples = game, rng, samples
        self._chances: Chances[Any] = game.chances  # type: ignore[assignment] - checked above
        self.luck: list[float] = []
        self.game = replace(game, start=self._start, play=self._play)

    def _start(self, options: Options, setups: Sequence[Setup], shuffle: Shuffle) -> Step[Any]:
        step = self._plain.start(options, setups, shuffle)
        sides = self._plain.sides_of(options)
        self.luck = [0.0] * len(sides)
        others = [
            (1 / self._samples, self._plain.start(options, setups, self._anew()).state)
            for _ in range(self._samples)
        ]
        self._note(step.state, others, sides)
        return step

    def _play(self, state: State, seat: Seat, move: Move, shuffle: Shuffle) -> Step[Any]:
        step = self._plain.play(state, seat, move, shuffle)
        if self._chances.falls(state, seat, move):
            befores = self._chances.each(state, seat, move) or [
                (1 / self._samples, self._chances.again(state, self._rng))
                for _ in range(self._samples)
            ]
            others = [
                (chance, self._plain.play(before, seat, move, self._anew()).state)
                for chance, before in befores
            ]
            self._note(step.state, others, self._plain.sides_of(state.options))  # type: ignore[attr-defined]
        return step

    def _anew(self) -> Shuffle:
        return seeded(Random(self._rng.getrandbits(64)))

    def _note(
        self,
        fallen: State,
        others: Iterable[tuple[float, State]],
        sides: Sequence[Sequence[Seat]],
    ) -> None:
        for side, worth in enumerate(self._worth(fallen, sides)):
            self.luck[side] += worth
        for chance, state in others:
            for side, worth in enumerate(self._worth(state, sides)):
                self.luck[side] -= chance * worth

    def _worth(self, state: State, sides: Sequence[Sequence[Seat]]) -> Sequence[float]:
        outcome = self._plain.outcome(state)
        return self._chances.worth(state) if outcome is None else scores_of(outcome, sides)


class _Sums:
    """The scores of one entrant, by the decks that they were made with."""

    def __init__(self) -> None:
        self._plain: dict[int, list[float]] = {}
        self._adjusted: dict[int, list[float]] = {}

    def add(self, decks: int, score: float, luck: float) -> None:
        self._plain.setdefault(decks, []).append(score)
        self._adjusted.setdefault(decks, []).append(score - luck)

    def score(self, name: str) -> AdjustedScore:
        plain, adjusted = _of_groups(self._plain), _of_groups(self._adjusted)
        spread, left = _spread(plain), _spread(adjusted)
        return AdjustedScore(
            name, _interval(plain), _interval(adjusted), spread / left if left else 1.0
        )


def scores(matches: Iterable[AdjustedMatch], *, by_seat: bool = False) -> list[AdjustedScore]:
    """Of each entrant, or of each seat; matches with equal decks are one observation."""
    sums: dict[str, _Sums] = {}
    for match in matches:
        for seat, name in enumerate(match.seats):
            key = f"{seat} {name}" if by_seat else name
            sums.setdefault(key, _Sums()).add(match.decks, match.scores[seat], match.luck[seat])
    return [each.score(name) for name, each in sums.items()]


def _of_groups(values: dict[int, list[float]]) -> list[float]:
    return [fmean(values[decks]) for decks in sorted(values)]


def _spread(means: Sequence[float]) -> float:
    return variance(means) if len(means) >= LEAST_GROUPS else 0.0


def _interval(means: Sequence[float]) -> Interval:
    mean = fmean(means)
    reach = student95(len(means) - 1) * sqrt(_spread(means) / len(means)) if len(means) > 1 else 1.0
    return Interval(mean, mean - reach, mean + reach)
