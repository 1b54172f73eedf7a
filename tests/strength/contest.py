"""Matches of a bot against others, every deal played from every seat: a row of `make strength`.

`JOBS` processes play side by side, by default one a core; the matches are the same.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from games.arena.series import Clock, Series
from games.rules import catalog
from games.rules.bot import Bot

SCALE = float(os.environ.get("STRENGTH_SCALE", "1"))  # of the number of matches
JOBS = int(os.environ.get("JOBS", os.cpu_count() or 1))
PARTS = 8  # a process: the last ones to end do not keep the others waiting for long
Result = tuple[
    str, str, bool | None
]  # None: the interval holds the target, too few matches to tell
Row = Callable[[], Result]


@dataclass(frozen=True)
class Contest:
    """`bot` against `rivals`, one a seat; bots by name or themselves.

    `shed`: what counts is the share of games that the bot loses as the last one.
    """

    game: str
    bot: str | Bot[Any]
    rivals: Sequence[str | Bot[Any]]
    matches: int
    must: float  # percent
    seed: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    preset: str | None = None
    shed: bool = False
    side_deck: tuple[str, ...] = ()

    def row(self) -> Row:
        def row() -> Result:
            return self.measure()

        row.__doc__ = self._told()
        return row

    def measure(self) -> Result:
        deals = max(2, round(self.matches * SCALE / len(self._seated())))
        parts = min(deals, JOBS * PARTS)
        found = list(_processes().map(self.play, [range(deals)[at::parts] for at in range(parts)]))
        shares = [share for part, _ in found for share in part]
        percent, reach = 100 * fmean(shares), 196 * stdev(shares) / sqrt(deals)
        moves = sum(clock.moves for _, clock in found)
        milliseconds = sum(clock.nanoseconds for _, clock in found) / max(1, moves) / 1e6
        figure = f"{percent:.1f} ± {reach:.1f} %, {milliseconds:.1f} ms a move"
        missed_by = percent - self.must if self.shed else self.must - percent
        reached = True if missed_by <= 0 else None if missed_by <= reach else False
        return figure, f"{'≤' if self.shed else '≥'} {self.must} %", reached

    def play(self, deals: Sequence[int]) -> tuple[list[float], Clock]:
        """The bot's share of each deal, played from every seat, and the time that it took."""
        series = self._series()
        seats, clocks = len(series.bots), {bot.slug: Clock() for bot in series.bots}
        shares = [
            fmean(self._won(series, seats * deal + turn, clocks) for turn in range(seats))
            for deal in deals
        ]
        return shares, clocks[series.bots[0].slug]

    def _won(self, series: Series, number: int, clocks: dict[str, Clock]) -> float:
        """1, or the bot's part of a draw; with `shed` 1 for the game lost."""
        outcome = series.play(number, clocks).outcome
        seating = series.seatings[number % len(series.seatings)]
        seat = [entrant.bot.slug for entrant in seating].index(series.bots[0].slug)
        if self.shed:
            return float(outcome.places[seat] == max(outcome.places))
        return (seat in outcome.winners) / max(1, len(outcome.winners))

    def _series(self) -> Series:
        game = catalog.find(self.game)
        options = game.choose_options(self.options, self.preset)
        named = [game.bot(bot) if isinstance(bot, str) else bot for bot in self._seated()]
        decks = (self.side_deck,) * len(named) if self.side_deck else ()
        return Series(game, options, tuple(named), self.seed, swap=True, side_decks=decks)

    def _seated(self) -> tuple[str | Bot[Any], ...]:
        return (self.bot, *self.rivals)

    def _told(self) -> str:
        names = [bot if isinstance(bot, str) else bot.slug for bot in self._seated()]
        what = "is the shed" if self.shed else "wins"
        rules = self.preset or ", ".join(f"{name} {value}" for name, value in self.options.items())
        decks = f", deck {' '.join(self.side_deck)}" if self.side_deck else ""
        head = f"{self.game}: {names[0]} {what} against {', '.join(names[1:])}"
        return (
            f"{head} ({rules or 'default rules'}{decks}; {self.matches} matches, seed {self.seed})"
        )


@cache
def _processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(JOBS)
