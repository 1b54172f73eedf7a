"""Results with the luck of the cards taken out: the same mean, a smaller interval.

At each step of chance the worth of what fell is compared with the mean worth of all that could have
fallen (AIVAT, Burch et al. 2018, for chance alone: what bots do is not corrected). The differences
are nothing in the mean, whatever the guess of worth is, so the mean of the results stays what it
is. The matches are those of the same seed without it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from operator import mul
from random import Random
from statistics import fmean, variance
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec

from cardroom.arena import compiled_code
from cardroom.arena.request import Part, SimulationRequest, series
from cardroom.arena.series import Clock, Series, generator
from cardroom.arena.statistics import BadRequest, Interval, slopes, student95
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Shuffle, seeded
from cardroom.rules.values import Chances, Event, Move, Options, Outcome, Seat, Setup, State, Step

# Who values what fell: the game's quick guess, or the bots of the match, who play on.
Value: TypeAlias = Literal["quick", "bots"]
VALUES: Final[tuple[Value, ...]] = get_args(Value)
SAMPLES: Final = 12  # of what could have fallen, where that cannot be listed
LEAST_GROUPS: Final = 2
ROUNDS: Final = 3  # that are told apart
ENOUGH: Final = 20  # observations for each kind of luck; with fewer it is one kind


class AdjustedMatch(msgspec.Struct, frozen=True):
    """A match by its number and the number of its decks: by seat who sat there, its score, luck.

    A seat's score is 1 for a win; sides that share the first place share it. ``luck`` is what the
    cards added to it, by kind: by whose move brought them, its own seat first, and in the first
    round, the second and later ones.
    """

    number: int
    decks: int
    seats: tuple[str, ...]
    scores: tuple[float, ...]
    luck: tuple[tuple[float, ...], ...]


class AdjustedScore(msgspec.Struct, frozen=True):
    """The mean score as it was and without luck. ``factor``: so many times as many matches would
    give the plain mean the interval of the other one."""

    name: str
    plain: Interval
    adjusted: Interval
    factor: float


def check(game: AnyGame) -> Chances[Any]:
    """The luck that a game declares; ``BadRequest`` where it declares none."""
    if game.chances is None:
        raise BadRequest(f"{game.name} does not say how its luck falls, so none can be taken out.")
    return game.chances


def run_adjusted(
    request: SimulationRequest, part: Part, *, custom: bool = False, value: Value = "quick"
) -> list[AdjustedMatch]:
    """Plays one part by the rules. Pure, as ``run_part``."""
    matches = series(request, custom=custom)
    check(matches.game)
    return [play_adjusted(matches, part.first + at, value) for at in range(part.games)]


def play_adjusted(
    matches: Series, number: int, value: Value = "quick", clocks: Mapping[str, Clock] | None = None
) -> AdjustedMatch:
    """``clocks``, by entrant, are wound on when given (``Series.play``)."""
    decks, rotation = divmod(number, len(matches.seatings))
    seated = matches.seatings[rotation]
    bots = [compiled_code.quick(matches.game, each.bot) for each in seated]
    watch = Watch(matches.game, generator(matches.seed, "luck", number), bots, value=value)
    playout = replace(matches, game=watch.game).play(number, clocks)
    sides = matches.game.sides_of(matches.options)
    side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
    scores = scores_of(playout.outcome, sides)
    return AdjustedMatch(
        number,
        decks,
        tuple(each.name for each in seated),
        tuple(scores[side_of[seat]] for seat in range(len(seated))),
        tuple(_from(seat, watch.luck[side_of[seat]]) for seat in range(len(seated))),
    )


def _from(seat: Seat, kinds: Sequence[float]) -> tuple[float, ...]:
    at = ROUNDS * seat
    return (*kinds[at:], *kinds[:at])


def scores_of(outcome: Outcome, sides: Sequence[Sequence[Seat]]) -> list[float]:
    first = [bool(set(side) & set(outcome.winners)) for side in sides]
    return [won / max(1, sum(first)) for won in first]


Past = tuple[tuple[Event, ...], ...]  # the events of each step


class Watch:
    """A game that is played as it is, and adds up by side what its chance was worth.

    ``bots`` are those of the match, by seat, for worths that need them to play on.
    """

    def __init__(
        self,
        game: AnyGame,
        rng: Random,
        bots: Sequence[Bot[Any]] = (),
        samples: int = SAMPLES,
        value: Value = "bots",
    ) -> None:
        self._chances = check(game)
        quick = compiled_code.quick_chances(game) if value == "quick" else None
        self._added = None if quick is None else quick.added
        self._plain, self._rng, self._bots, self._samples = game, rng, bots, samples
        self._slugs = [bot.slug for bot in bots]
        self._past: Past = ()
        self._sides: Sequence[Sequence[Seat]] = ()
        self.luck: list[list[float]] = []
        self._kind = self._round = 0
        self.game = replace(game, start=self._start, play=self._play)

    def _start(self, options: Options, setups: Sequence[Setup], shuffle: Shuffle) -> Step[Any]:
        step = self._plain.start(options, setups, shuffle)
        self._sides = self._plain.sides_of(options)
        kinds = ROUNDS * self._plain.seats(options)
        self.luck = [[0.0] * kinds for _ in self._sides]
        self._kind = self._round = 0
        if not self._is_added(None, step, 0, ""):
            self._note(
                step, [self._plain.start(options, setups, self._anew()) for _ in self._times]
            )
        self._past = (step.events,)
        return step

    def _play(self, state: State, seat: Seat, move: Move, shuffle: Shuffle) -> Step[Any]:
        step = self._plain.play(state, seat, move, shuffle)
        self._kind = ROUNDS * seat + min(self._round, ROUNDS - 1)
        self._round += step.scores is not None
        if self._chances.falls(state, seat, move) and not self._is_added(state, step, seat, move):
            listed = self._chances.each(state, seat, move)
            befores = [before for _, before in listed]
            befores = befores or [self._chances.again(state, self._rng) for _ in self._times]
            steps = [self._plain.play(before, seat, move, self._anew()) for before in befores]
            self._note(step, steps, [chance for chance, _ in listed])
        self._past = (*self._past, step.events)
        return step

    def _is_added(self, state: State | None, step: Step[Any], seat: Seat, move: Move) -> bool:
        """Whether the game's quick guess says what the step has added."""
        if self._added is None:
            return False
        added = self._added(state, step.state, seat, move, self._slugs, self._rng)
        for side, luck in enumerate(added or ()):
            self.luck[side][self._kind] += luck
        return added is not None

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
            self.luck[side][self._kind] += worth
        for chance, step in zip(chances or [1 / len(others)] * len(others), others, strict=True):
            for side, worth in enumerate(self._worth(step)):
                self.luck[side][self._kind] -= chance * worth

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
        self._luck: dict[int, list[Sequence[float]]] = {}

    def add(self, decks: int, score: float, luck: Sequence[float]) -> None:
        self._scores.setdefault(decks, []).append(score)
        self._luck.setdefault(decks, []).append(luck)

    def score(self, name: str) -> AdjustedScore:
        plain = [fmean(self._scores[decks]) for decks in sorted(self._scores)]
        luck = [_means(self._luck[decks]) for decks in sorted(self._luck)]
        if len(luck) < 2 * ENOUGH * len(luck[0]):
            luck = [[sum(kinds)] for kinds in luck]
        adjusted = plain[:]
        for half in (0, 1):
            shares = slopes(luck[1 - half :: 2], plain[1 - half :: 2])
            for at in range(half, len(plain), 2):
                adjusted[at] -= sum(map(mul, shares, luck[at]))
        spread, left = _spread(plain), _spread(adjusted)
        factor = spread / left if left else 1.0
        return AdjustedScore(name, _interval(plain), _interval(adjusted), factor)


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    return [fmean(column) for column in zip(*rows, strict=True)]


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
