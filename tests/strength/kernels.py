"""Kernels against the rules of the same commit, in one run on one core, by processor time."""

import time
from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Any

import numpy

from cardroom.arena import compiled_code
from cardroom.arena.request import Part, describe, run_part, series
from cardroom.fast.kernel import seeds_of
from tests.strength.reference_core import Stopwatch

TURNS, SECONDS = 9, 0.2  # the sides take turns, so that both meet the same machine
Row = tuple[str, str, bool]
WAR = {
    "deck": 52, "dispute": "mortgage", "collect_order": "random", "short_dispute": "loses",
}  # fmt: skip


class Side:
    """Plays matches by one engine, so many at once."""

    def __init__(self, play: Callable[[range], Any], size: int) -> None:
        self._play, self._size = play, size
        self._done = size
        play(range(size))  # compiles

    def rate(self, seconds: float) -> float:
        """Matches a second of processor time."""
        first, begun = self._done, time.process_time()
        while (spent := time.process_time() - begun) < seconds:
            self._play(range(self._done, self._done + self._size))
            self._done += self._size
        return (self._done - first) / spent


def ratio(game: str, bots: tuple[str, ...], traced: bool, target: int, **values: Any) -> Row:
    matches = series(describe(game, values=values, bots=bots, seed=1))
    kernel = compiled_code.kernel_of_game(game)
    assert kernel is not None
    policies = [kernel.policies[bot.slug] for bot in matches.bots]
    options, setups = matches.options, matches.setups[0]

    def by_kernel(numbers: range) -> None:
        every = numpy.arange(numbers.start, numbers.stop)
        seeds = seeds_of(1, every, every)
        if traced:
            kernel.rows(seeds, options, setups, policies)
        else:
            kernel.play(seeds, options, setups, policies)

    rules = Side(lambda numbers: [matches.play(number) for number in numbers], 4)
    compiled = Side(by_kernel, 20 if traced else 5000)
    turns = [(compiled.rate(SECONDS), rules.rate(SECONDS)) for _ in range(TURNS)]
    figure, fast, slow = sorted((fast / slow, fast, slow) for fast, slow in turns)[TURNS // 2]
    told = f"{figure:,.0f}× ({fast:,.0f} matches a second against {slow:,.0f}, the median)"
    return told, f"≥ {target}×", figure >= target


def _row(what: str, *given: Any, **named: Any) -> Callable[[], Row]:
    row = partial(ratio, *given, **named)
    update_wrapper(row, ratio)
    row.__doc__ = what
    return row


def deals() -> Row:
    """Pişti, single deals a second on the reference core, random against random"""
    request = describe("pisti", preset="single", bots=["random"], games=200_000, seed=1)
    run_part(request, Part(0, 100))
    watch, begun = Stopwatch(), time.process_time()
    run_part(request, Part(0, request.games))
    watch.add(time.process_time() - begun)
    there, here = (request.games / 1e6 / seconds for seconds in (watch.there(), watch.here))
    return (
        f"{there:.2f} million ({here:.2f} on this core), figures included",
        "— (goal 1 million)",
        True,
    )


ROWS = [
    _row("Pişti, results only, random", "pisti", ("random",), False, 400),
    _row("Pişti, results only, greedy", "pisti", ("greedy",), False, 400),
    _row("Pişti, the full state at every ply written out, random", "pisti", ("random",), True, 65),
    _row("Pyanitsa, 36 cards, two seats", "pyanitsa", (), False, 125),
    _row("Pazaak, gambler", "pazaak", ("gambler",), False, 50),
    _row("Pazaak, random", "pazaak", ("random",), False, 50),
    _row("Shithead, keeper", "shithead", ("keeper",), False, 50),
    _row("Shithead, random", "shithead", ("random",), False, 50),
    deals,
]
