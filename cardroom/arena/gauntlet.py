"""``cardroom gauntlet my_bot.py --game …``: one strategy against each level of a game.

Every sequence of decks is played once from every seat, so luck with the cards counts little. A line
a level: the share of matches won with its 95 % interval, and the margin in points.
"""

import argparse
import inspect
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple

from cardroom.arena.figures import merge
from cardroom.arena.players import choose_options, find_bot, find_game, read_pairs
from cardroom.arena.ranking import pair_margin, score
from cardroom.arena.request import describe, parts_of, run_part, run_parts
from cardroom.arena.statistics import ArenaError, BadRequest, Interval
from cardroom.rules.bot import Bot, levels

MATCHES: Final = 200
TAKES: Final = 3  # a strategy: view, events, rng


class Rung(NamedTuple):
    """The matches against one computer; ``even`` is the score among equals."""

    bot: str
    level: int
    matches: int
    score: Interval
    even: float
    margin: Interval | None

    @property
    def verdict(self) -> str:
        if self.score.low > self.even:
            return "beaten"
        return "too strong" if self.score.high < self.even else "about equal"

    def __str__(self) -> str:
        share, margin = self.score, self.margin
        within = f"{100 * share.low:.1f} to {100 * share.high:.1f}"
        points = (
            ""
            if margin is None
            else f"{margin.value:+.2f} ({margin.low:+.2f} to {margin.high:+.2f})"
        )
        shown = f"{self.level:>5}  {self.bot:<12} {100 * share.value:>5.1f} %  {within:>13}"
        return f"{shown}  {points:<26}  {self.verdict}"


HEADING: Final = f"{'level':>5}  {'computer':<12} {'score':>7}  {'95 %':>13}  margin a match"


def gauntlet(
    game: str,
    bot: str,
    *,
    values: Mapping[str, Any] | None = None,
    matches: int = MATCHES,
    seed: int = 1,
    jobs: int = 1,
) -> Iterator[Rung]:
    """Against each level from the weakest; ``bot`` as the arena names it. Raises ArenaError."""
    rules, terms = find_game(game), {"values": values, "seed": seed, "swap": True, "custom": True}
    find_bot(rules, bot, custom=True)
    options = choose_options(rules, values or {})
    seats, even = rules.seats(options), 1 / len(rules.sides_of(options))
    games = -(-matches // seats) * seats  # whole sequences
    for other in levels(rules.bots, inf):
        if other.slug == bot:
            continue
        request = describe(game, bots=(bot, other.slug), games=games, **terms)  # type: ignore[arg-type]
        run = partial(run_part, request, custom=True)
        figures = merge(result for _, result in run_parts(run, parts_of(request), jobs))
        margin = pair_margin(figures, bot)
        yield Rung(other.slug, other.level, games, score(figures, bot), even, margin)


def bot_in(file: Path, name: str | None = None) -> str:
    """The strategy of a file, as the arena names it: the one of this name, or the only one."""
    if not file.is_file():
        raise BadRequest(f"There is no file {file}.")
    sys.path.insert(0, str(file.resolve().parent))
    members = vars(import_module(file.stem)).items()
    players = [one for one, each in members if name in (None, one) and _chooses(each, file.stem)]
    if len(players) != 1:
        known = ", ".join(players) or "none"
        raise BadRequest(
            f"{file} must have one function (view, events, rng) or Bot; there are: {known}. "
            "Name one with --function."
        )
    return f"{file.stem}:{players[0]}"


def _chooses(value: Any, module: str) -> bool:
    is_own = inspect.isfunction(value) and value.__module__ == module and value.__name__[0] != "_"
    return isinstance(value, Bot) or (is_own and len(inspect.signature(value).parameters) == TAKES)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="cardroom gauntlet", description=__doc__)
    parser.add_argument("bot", help="a file with a strategy, or a bot as the arena names it")
    parser.add_argument("--game", required=True, help="the slug of a game")
    parser.add_argument("--function", help="which strategy of the file")
    parser.add_argument("--matches", type=int, default=MATCHES, help="against each level")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    chosen = parser.parse_args(argv)
    try:
        bot, values = chosen.bot, read_pairs(chosen.option)
        if bot.endswith(".py"):
            bot = bot_in(Path(bot), chosen.function)
        numbers = {"matches": chosen.matches, "seed": chosen.seed, "jobs": chosen.jobs}
        for at, rung in enumerate(gauntlet(chosen.game, bot, values=values, **numbers)):
            sys.stdout.write(f"{HEADING}\n{rung}\n" if at == 0 else f"{rung}\n")
            sys.stdout.flush()
    except ArenaError as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2
    return 0
