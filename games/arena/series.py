"""Many matches of the same bots, each of them fixed by the seed and its number.

Match ``i`` draws its decks and the bots' chances from generators seeded with a hash of the seed
and of numbers that depend on ``i`` alone: whoever plays it, in whatever order, plays the same
match. With ``swap`` every sequence of decks is played once with every rotation of the seating,
so that nobody owes a win to better cards or a better seat.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from time import thread_time_ns
from typing import Any

import msgspec

from games.arena.figures import Figures, figures_of, merge
from games.arena.playouts import Playout, play_match, seat_bots
from games.rules.bot import Bot
from games.rules.game import AnyGame
from games.rules.shuffles import seeded
from games.rules.values import Event, Move, Options, Setup


class Clock(msgspec.Struct):
    """The processor time a bot thought, over all its moves that were a choice."""

    moves: int = 0
    nanoseconds: int = 0

    @property
    def microseconds_a_move(self) -> float:
        return self.nanoseconds / self.moves / 1000 if self.moves else 0.0


@dataclass(frozen=True, eq=False)
class Series:
    """What is played: ``bots`` one a seat; ``swap`` plays equal decks with every rotation."""

    game: AnyGame
    options: Options
    bots: tuple[Bot[Any], ...]
    seed: int
    swap: bool = False

    @cached_property
    def seatings(self) -> tuple[tuple[Bot[Any], ...], ...]:
        """The different rotations of the bots, as named first."""
        return rotations(self.bots) if self.swap else (self.bots,)

    @cached_property
    def _setups(self) -> tuple[tuple[Setup, ...], ...]:
        return tuple(seat_bots(self.game, self.options, seating) for seating in self.seatings)

    def play(self, number: int, clocks: Mapping[str, Clock] | None = None) -> Playout:
        """Plays match ``number`` (from 0); ``clocks`` by bot are wound on when given."""
        deal, rotation = divmod(number, len(self.seatings))
        bots = self.seatings[rotation]
        return play_match(
            self.game,
            self.options,
            bots if clocks is None else tuple(timed(bot, clocks[bot.slug]) for bot in bots),
            seeded(generator(self.seed, "decks", deal)),
            generator(self.seed, "bots", number),
            self._setups[rotation],
        )

    def figures(self, numbers: Iterable[int], clocks: Mapping[str, Clock] | None = None) -> Figures:
        """The figures of the matches with these numbers."""
        return merge(self._each(numbers, clocks))

    def _each(
        self, numbers: Iterable[int], clocks: Mapping[str, Clock] | None
    ) -> Iterator[Figures]:
        sides = self.game.sides_of(self.options)
        for number in numbers:
            seating = self.seatings[number % len(self.seatings)]
            yield figures_of(self.play(number, clocks), [bot.slug for bot in seating], sides)


def generator(seed: int, purpose: str, number: int) -> Random:
    """A generator of its own for every purpose and number under the seed."""
    digest = hashlib.sha256(f"{seed}:{purpose}:{number}".encode()).digest()
    return Random(int.from_bytes(digest, "big"))


def rotations(bots: Sequence[Bot[Any]]) -> tuple[tuple[Bot[Any], ...], ...]:
    """Every different seating that comes of moving all bots round the table."""
    turned = (tuple(bots[shift:]) + tuple(bots[:shift]) for shift in range(len(bots)))
    return tuple({tuple(bot.slug for bot in seating): seating for seating in turned}.values())


def timed(bot: Bot[Any], clock: Clock) -> Bot[Any]:
    """The same bot with a stopwatch on its choices."""

    def choose(view: Any, events: Sequence[Event], rng: Random) -> Move:
        started = thread_time_ns()
        move = bot.choose(view, events, rng)
        clock.nanoseconds += thread_time_ns() - started
        clock.moves += 1
        return move

    return Bot(bot.slug, bot.name, bot.summary, bot.level, choose, bot.rated, bot.remembers)
