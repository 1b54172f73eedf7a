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

from games.arena import compiled_code
from games.arena.errors import BadRequest
from games.arena.request import Part, SimulationRequest, series
from games.arena.series import Series, generator
from games.arena.statistics import Interval, student95
from games.rules.bot import Bot
from games.rules.chances import Chances
from games.rules.game import AnyGame
from games.rules.shuffles import Shuffle, seeded
from games.rules.values import Event, Move, Options, Outcome, Seat, Setup, State, Step

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


def check(game: AnyGame) -> Chances[Any]:
    """How the luck of a game falls; ``BadRequest`` where it does not say so."""
    if game.chances is None:
        raise BadRequest(f"{game.name} does not say how its luck falls, so none can be taken out.")
    return game.chances


def run_adjusted(
    request: SimulationRequest, part: Part, *, custom: bool = False
) -> list[AdjustedMatch]:
    """Plays one part by the rules. Pure, as ``run_part``."""
    matches = series(request, custom=custom)
    check(matches.game)
    return [play_adjusted(matches, part.first + at) for at in range(part.games)]


def play_adjusted(matches: Series, number: int) -> AdjustedMatch:
    decks, rotation = divmod(number, len(matches.seatings))
    seated = matches.seatings[rotation]
    bots = [compiled_code.quick(matches.game, each.bot) for each in seated]
    watch = Watch(matches.game, generator(matches.seed, "luck", number), bots)
    playout = replace(matches, game=watch.game).play(number)
    sides = matches.game.sides_of(matches.options)
    side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
    scores = scores_of(playout.outcome, sides)
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


Past = tuple[tuple[Event, ...], ...]  # the events of each step


class Watch:
    """A game that is played as it is, and adds up by side what its chance was worth.

    ``bots`` are those of the match, by seat, for worths that need them to play on.
    """

    def __init__(
        self, game: AnyGame, rng: Random, bots: Sequence[Bot[Any]] = (), samples: int = SAMPLES
    ) -> None:
        self._chances = check(game)
        self._plain, self._rng, self._bots, self._samples = game, rng, bots, samples
        self._past: Past = ()
        self._sides: Sequence[Sequence[Seat]] = ()
        self.luck: list[float] = []
        self.game = replace(game, start=self._start, play=self._play)

    def _start(self, options: Options, setups: Sequence[Setup], shuffle: Shuffle) -> Step[Any]:
        step = self._plain.start(options, setups, shuffle)
        self._sides = self._plain.sides_of(options)
        self.luck = [0.0] * len(self._sides)
        self._note(step, [self._plain.start(options, setups, self._anew()) for _ in self._times])
        self._past = (step.events,)
        return step

    def _play(self, state: State, seat: Seat, move: Move, shuffle: Shuffle) -> Step[Any]:
        step = self._plain.play(state, seat, move, shuffle)
        if self._chances.falls(state, seat, move):
            listed = self._chances.each(state, seat, move)
            befores = [before for _, before in listed]
            befores = befores or [self._chances.again(state, self._rng) for _ in self._times]
            steps = [self._plain.play(before, seat, move, self._anew()) for before in befores]
            self._note(step, steps, [chance for chance, _ in listed])
        self._past = (*self._past, step.events)
        return step

    @property
    def _times(self) -> range:
        return range(self._samples)

    def _anew(self) -> Shuffle:
        return seeded(Random(self._rng.getrandbits(64)))

    def _note(
        self, fallen: Step[Any], others: Sequence[Step[Any]], chances: Sequence[float] = ()
    ) -> None:
        """Without chances all the others are as likely."""
        for side, worth in enumerate(self._worth(fallen)):
            self.luck[side] += worth
        for chance, step in zip(chances or [1 / len(others)] * len(others), others, strict=True):
            for side, worth in enumerate(self._worth(step)):
                self.luck[side] -= chance * worth

    def _worth(self, step: Step[Any]) -> Sequence[float]:
        past, state = (*self._past, step.events), step.state
        while self._chances.plays_on and (acting := self._plain.to_act(state)):
            move = self._choice(state, acting[0], past)
            if self._chances.falls(state, acting[0], move):
                break
            following = self._plain.play(state, acting[0], move, self._anew())
            past, state = (*past, following.events), following.state
        outcome = self._plain.outcome(state)
        return self._chances.worth(state) if outcome is None else scores_of(outcome, self._sides)

    def _choice(self, state: State, seat: Seat, past: Past) -> Move:
        moves = self._plain.legal_moves(state, seat)
        if len(moves) == 1:
            return moves[0]
        bot, events = self._bots[seat], tuple[Event, ...]()
        if bot.remembers != "nothing":
            seen = tuple([event.seen_by(seat) for step in past for event in step])
            events = tuple(self._plain.recent_events(seen, bot.remembers))
        return bot.choose(self._plain.view(state, seat), events, self._rng)


class _Sums:
    """The scores and the luck of one entrant, by the decks that they came of.

    How much of the luck is taken out is what the other half of the decks shows to be best, so it
    does not depend on the luck that it is applied to, and the mean stays what it is.
    """

    def __init__(self) -> None:
        self._scores: dict[int, list[float]] = {}
        self._luck: dict[int, list[float]] = {}

    def add(self, decks: int, score: float, luck: float) -> None:
        self._scores.setdefault(decks, []).append(score)
        self._luck.setdefault(decks, []).append(luck)

    def score(self, name: str) -> AdjustedScore:
        plain, luck = ([fmean(of[d]) for d in sorted(of)] for of in (self._scores, self._luck))
        adjusted = plain[:]
        for half in (0, 1):
            share = _slope(luck[1 - half :: 2], plain[1 - half :: 2])
            for at in range(half, len(plain), 2):
                adjusted[at] -= share * luck[at]
        spread, left = _spread(plain), _spread(adjusted)
        factor = spread / left if left else 1.0
        return AdjustedScore(name, _interval(plain), _interval(adjusted), factor)


def _slope(luck: Sequence[float], scores: Sequence[float]) -> float:
    """By how much a score grows with its luck; 0 where that cannot be told."""
    if len(luck) < LEAST_GROUPS:
        return 0.0
    middle = fmean(luck)
    spread = sum((each - middle) ** 2 for each in luck)
    common = sum((each - middle) * score for each, score in zip(luck, scores, strict=True))
    return common / spread if spread else 0.0


def scores(matches: Iterable[AdjustedMatch], *, by_seat: bool = False) -> list[AdjustedScore]:
    """Of each entrant, or of each seat; matches with equal decks are one observation."""
    sums: dict[str, _Sums] = {}
    for match in matches:
        for seat, name in enumerate(match.seats):
            key = f"{seat} {name}" if by_seat else name
            sums.setdefault(key, _Sums()).add(match.decks, match.scores[seat], match.luck[seat])
    return [each.score(name) for name, each in sums.items()]


def _spread(means: Sequence[float]) -> float:
    return variance(means) if len(means) >= LEAST_GROUPS else 0.0


def _interval(means: Sequence[float]) -> Interval:
    mean = fmean(means)
    reach = student95(len(means) - 1) * sqrt(_spread(means) / len(means)) if len(means) > 1 else 1.0
    return Interval(mean, mean - reach, mean + reach)
