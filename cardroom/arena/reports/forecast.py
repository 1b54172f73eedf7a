"""What matches under some options are like: tried out by computers before people play them.

A thousand matches where a kernel covers the options, else as many as there is time for by the
rules. All seats are held by one bot, the strongest that is quick enough.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from cardroom.arena import compiled_code, kernel_figures
from cardroom.arena.figures import Figures, Tally, merge
from cardroom.arena.measures import PLIES
from cardroom.arena.playouts import Playout
from cardroom.arena.series import Series
from cardroom.arena.statistics import mean, wilson
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options

MATCHES = 1_000
FEWEST = 20  # fewer matches prove nothing
BATCH = 25  # between two looks at the clock
SEED = 1


class Forecast(msgspec.Struct, frozen=True):
    """Shares of ``matches``: stopped by the limit of the rules, won alone by the first seat and by
    none alone; ``plies`` is the mean. ``edge`` is +1 or −1 if the first side clearly wins more or
    less often than its due, else 0. Without matches nothing could be found out in time."""

    matches: int = 0
    plies: float = 0.0
    endless: float = 0.0
    first: float = 0.0
    ties: float = 0.0
    edge: int = 0


def forecast(game: AnyGame, options: Options, stop: Callable[[], bool]) -> Forecast:
    """Tries the options until there are enough matches or ``stop`` says so."""
    kernel = compiled_code.kernel_of_game(game.slug) if compiled_code.installed() else None
    if kernel is not None and kernel.uncovered(options):
        kernel = None
    warm = kernel is not None and compiled_code.is_warm(game.slug)
    bot = _bot(game, set(kernel.policies) if kernel is not None and warm else None)
    matches = Series(game, options, (bot,) * game.seats(options), SEED)
    figures = [Figures()]
    for first in range(0, MATCHES, BATCH):
        numbers = range(first, first + BATCH)
        if kernel is not None and warm:
            figures.append(kernel_figures.figures(kernel, matches, numbers))
        else:
            figures += _by_the_rules(matches, numbers, stop)
        if stop():
            break
    return _read(merge(figures), game, options)


def _by_the_rules(matches: Series, numbers: range, stop: Callable[[], bool]) -> list[Figures]:
    figures = []
    for number in numbers:
        played = matches.play_until(number, stop)
        if not isinstance(played, Playout):
            break
        figures.append(matches.figures_of(number, played))
    return figures


def _bot(game: AnyGame, covered: set[str] | None) -> Bot[Any]:
    """The strongest quick bot that a kernel plays; without one, that needs its view alone."""
    fit = [
        bot
        for bot in game.bots
        if bot.rated
        and bot.cost == "quick"
        and (bot.slug in covered if covered else bot.remembers == "nothing")
    ]
    return max(fit, key=lambda bot: bot.level)


def _read(figures: Figures, game: AnyGame, options: Options) -> Forecast:
    if figures.matches < FEWEST:
        return Forecast()
    sides = game.sides_of(options)
    won = [figures.seats[side[0]] for side in sides]
    return Forecast(
        matches=figures.matches,
        plies=mean(figures.measures[PLIES]),
        endless=figures.unfinished / figures.matches,
        first=won[0].won / figures.matches,
        ties=1 - sum(each.won for each in won) / figures.matches,
        edge=_edge(won[0], len(sides)),
    )


def _edge(first: Tally, sides: int) -> int:
    """Against an equal share of the matches that one side won alone."""
    decided = first.matches - first.shared
    share = wilson(first.won, max(1, decided))
    return (share.low > 1 / sides) - (share.high < 1 / sides)
