"""Matches of a bot against others, every deal played from every seat: a row of `make strength`.

Bots that search have a budget in playouts and read no clock here, so a row gives the same figure on
any machine, however busy; the time a move takes is processor time, and where it has a limit, that
of the reference core (``reference_core``). A search that has a compiled form plays with it unless
`CARDROOM_KERNELS=off`; the figure says so, and is the same. `JOBS` processes play side by side, by
default one a core; the matches are the same.

A row looks at its figure after each fifth of its matches and ends once the interval does not hold
the target. As it may look five times, each interval is wider (Pocock 1977), so that all of them
together hold the truth 95 times in 100.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Any, Final

from cardroom.arena import compiled_code
from cardroom.arena.series import Clock, Series
from cardroom.arena.statistics import Interval, sequences_interval
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.values import Event, Move
from tests.strength.reference_core import Stopwatch

SCALE = float(os.environ.get("STRENGTH_SCALE", "1"))  # of the number of matches
JOBS = int(os.environ.get("JOBS", os.cpu_count() or 1))
PARTS = 8  # a process: the last ones to end do not keep the others waiting for long
LOOKS: Final = 5
LEAST_DEALS: Final = 3
POCOCK: Final = 2.413  # standard errors, for five looks and 95 % in all
Result = tuple[str, str, bool | None]  # None: the interval holds the target, undecided
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
    must: float = 50  # percent
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

    def pace(self, most: float, *, compiled: bool) -> Row:
        """The time that a move of the bot takes on the reference core, in milliseconds, over all
        matches; one process."""
        form = "by its compiled search" if compiled else "in pure Python"

        def row() -> Result:
            return self._paced(most, compiled=compiled)

        row.__doc__ = f"{self.game}: a move of {self._names()[0]} {form} ({self._rules()})"
        return row

    def _paced(self, most: float, *, compiled: bool) -> Result:
        if compiled and not compiled_code.installed():
            return "not measured: Numba is not installed", f"≤ {most} ms", None
        compiled_code.warm_searches(self.game)
        count, watch = max(1, round(self.matches / len(self._seated()))), Stopwatch()
        with nullcontext() if compiled else _kernels_off():
            contest = replace(self, bot=_watched(self._series(), watch))
            _, (clock, _) = contest.play(range(count))
        here, there = (1000 * seconds / clock.moves for seconds in (watch.here, watch.there()))
        figure = f"{there:.2f} ms ({here:.2f} on this core), the mean of {clock.moves} moves"
        return figure, f"≤ {most} ms", there <= most

    def measure(self) -> Result:
        deals = self._deals()
        played, clocks = list[Any](), [Clock(), Clock()]
        self.warm()
        with ProcessPoolExecutor(JOBS) as processes:
            for look in range(LOOKS):
                part = range(deals * look // LOOKS, deals * (look + 1) // LOOKS)
                played += self._side_by_side(processes, part, clocks)
                if len(played) < 2:  # one deal has no spread
                    continue
                interval = self.interval(played)
                reached = self.reached(interval)
                if reached is not None:
                    break
        return self._figure(interval, played, clocks), self._target(), reached

    def _deals(self) -> int:
        return max(LEAST_DEALS, round(self.matches * SCALE / len(self._seated())))

    def warm(self) -> None:
        compiled_code.warm_searches(self.game)

    def interval(self, shares: Sequence[float]) -> Interval:
        return sequences_interval(
            fmean(shares), stdev(shares), len(shares), len(self._seated()), POCOCK
        )

    def reached(self, interval: Interval) -> bool | None:
        """Whether the target is reached, ``None`` while the interval holds it."""
        below, above = 100 * interval.high < self.must, 100 * interval.low > self.must
        if not (below or above):
            return None
        return below if self.shed else above

    def _figure(self, interval: Interval, played: Sequence[Any], clocks: Sequence[Clock]) -> str:
        own, others = (clock.microseconds_a_move / 1000 for clock in clocks)
        return (
            f"{percents(interval)}, {len(played) * len(self._seated())} matches, {own:.2f} ms of "
            f"processor time a move (the others {others:.2f}), {self._engine()}"
        )

    def _engine(self) -> str:
        """By which form the bot chose, if it searches."""
        bot = self._series().bots[0]
        if bot.search is None:
            return "by the rules"
        compiled = compiled_code.has_search(catalog.find(self.game), bot)
        return "compiled" if compiled else "in pure Python"

    def _target(self) -> str:
        return f"{'≤' if self.shed else '≥'} {self.must} %"

    def _side_by_side(
        self, processes: ProcessPoolExecutor, deals: Sequence[int], clocks: Sequence[Clock]
    ) -> list[Any]:
        parts = min(len(deals), JOBS * PARTS)
        played = list[Any]()
        for some, spent in processes.map(self.play, [deals[at::parts] for at in range(parts)]):
            played += some
            for clock, more in zip(clocks, spent, strict=True):
                clock.moves += more.moves
                clock.nanoseconds += more.nanoseconds
        return played

    def play(self, deals: Sequence[int]) -> tuple[list[Any], list[Clock]]:
        """The bot's share of each deal, played from every seat; the time that it took, and that
        the others took."""
        series = self._series()
        seats, clocks = len(series.bots), {bot.slug: Clock() for bot in series.bots}
        played = [
            self.play_deal(series, range(seats * deal, seats * (deal + 1)), clocks)
            for deal in deals
        ]
        return played, [clocks.pop(series.bots[0].slug), added_up(clocks.values())]

    def play_deal(self, series: Series, numbers: range, clocks: dict[str, Clock]) -> Any:
        return fmean(self._won(series, number, clocks) for number in numbers)

    def _won(self, series: Series, number: int, clocks: dict[str, Clock]) -> float:
        """The part of the winners that are the bot's seats; with `shed` 1 for the game lost."""
        outcome = series.play(number, clocks).outcome
        seating = series.seatings[number % len(series.seatings)]
        slugs = [entrant.bot.slug for entrant in seating]
        if self.shed:
            seat = slugs.index(series.bots[0].slug)
            return float(outcome.places[seat] == max(outcome.places))
        won = [slugs[seat] == series.bots[0].slug for seat in outcome.winners]
        return sum(won) / max(1, len(won))

    def _series(self) -> Series:
        game = catalog.find(self.game)
        options = game.choose_options(self.options, self.preset)
        named = [game.bot(bot) if isinstance(bot, str) else bot for bot in self._seated()]
        decks = (self.side_deck,) * len(named) if self.side_deck else ()
        return Series(game, options, tuple(named), self.seed, swap=True, side_decks=decks)

    def _seated(self) -> tuple[str | Bot[Any], ...]:
        return (self.bot, *self.rivals)

    def _told(self) -> str:
        names = self._names()
        what = "is the shed" if self.shed else "wins"
        head = f"{self.game}: {names[0]} {what} against {', '.join(names[1:])}"
        most = f"at most {self._deals() * len(self._seated())} matches"
        return f"{head} ({self._rules()}; {most}, seed {self.seed})"

    def _names(self) -> list[str]:
        return [bot if isinstance(bot, str) else bot.slug for bot in self._seated()]

    def _rules(self) -> str:
        rules = self.preset or ", ".join(f"{name} {value}" for name, value in self.options.items())
        decks = f", deck {' '.join(self.side_deck)}" if self.side_deck else ""
        return f"{rules or 'default rules'}{decks}"


def percents(interval: Interval) -> str:
    value, low, high = (100 * part for part in (interval.value, interval.low, interval.high))
    return f"{value:.1f} % ({low:.1f}–{high:.1f})"


def added_up(clocks: Iterable[Clock]) -> Clock:
    every = list(clocks)
    return Clock(sum(each.moves for each in every), sum(each.nanoseconds for each in every))


def _watched(series: Series, watch: Stopwatch) -> Bot[Any]:
    """The first bot, by its compiled search if that may be used; each choice is timed."""
    bot = compiled_code.quick(series.game, series.bots[0])

    def choose(view: Any, events: Sequence[Event], rng: Random) -> Move:
        begun = process_time()
        move = bot.choose(view, events, rng)
        watch.add(process_time() - begun)
        return move

    return replace(bot, choose=choose)


@contextmanager
def _kernels_off() -> Iterator[None]:
    before = os.environ.get("CARDROOM_KERNELS", "compiled")
    os.environ["CARDROOM_KERNELS"] = "off"
    try:
        yield
    finally:
        os.environ["CARDROOM_KERNELS"] = before
