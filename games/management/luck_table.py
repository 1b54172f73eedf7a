"""The table of ``--aivat``: scores as they were, and with the luck of the cards taken out."""

from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from rich.console import Console
from rich.table import Table

from cardroom.arena import compiled_code, luck
from cardroom.arena.errors import BadRequest
from cardroom.arena.luck import AdjustedMatch, AdjustedScore, Value
from cardroom.arena.players.names import find_game
from cardroom.arena.request import SimulationRequest
from games.management import terminal

VALUE_HELP = (
    "who values what fell: the game's quick guess, or the bots of the match, who play on (slower; "
    "the mean is the same)"
)
HELP = (
    "take the luck of the cards out of the scores: the same mean, a smaller interval (of games "
    "whose draws can be counted; played by the rules)"
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--aivat", action="store_true", help=HELP)
    parser.add_argument("--value", choices=luck.VALUES, default="quick", help=VALUE_HELP)


def show(
    request: SimulationRequest,
    jobs: int,
    screen: Console,
    out: Console,
    *,
    by_seat: bool,
    value: Value,
) -> None:
    """Plays the request and prints both means of each bot, or of each seat."""
    game = find_game(request.game)
    luck.check(game)
    least = 2 * len(request.bots)
    if request.games < least:
        raise BadRequest(f"An interval needs at least {least} matches.")
    compiled_code.warm_luck(request.game)
    begun = process_seconds()
    run = partial(luck.run_adjusted, value=value)
    parts, rate = terminal.play(request, run, jobs, label=game.name, screen=screen)
    matches = [match for part in parts for match in part]
    terminal.print_table(out, _table(request, luck.scores(matches, by_seat=by_seat)))
    footing = _footing(request, matches, rate, process_seconds() - begun)
    out.print(footing, style="dim", soft_wrap=True)


def _table(request: SimulationRequest, scores: Sequence[AdjustedScore]) -> Table:
    name = find_game(request.game).name
    lines = Table(title=f"{name}, seed {request.seed}: score with and without luck")
    lines.add_column("seat and bot" if not request.swap else "bot")
    for heading in ("score %", "95 %", "without luck %", "95 %", "worth so many matches"):
        lines.add_column(heading, justify="right")
    for score in scores:
        lines.add_row(
            score.name,
            terminal.percent(score.plain.value),
            terminal.percents(score.plain),
            terminal.percent(score.adjusted.value),
            terminal.percents(score.adjusted),
            f"× {score.factor:.2f}",
        )
    return lines


def _footing(
    request: SimulationRequest, matches: Sequence[AdjustedMatch], rate: float, seconds: float
) -> str:
    mirrored = " Matches with equal decks count as one." if request.swap else ""
    played = f"{len(matches):,} matches ({rate:,.1f} a second, {seconds:,.0f} s of processor time)."
    column = "Last column: how many times the matches the plain score needs for the same interval."
    return f"{played}{mirrored} {column}"


def process_seconds() -> float:
    """Of this process and of those that it has waited for."""
    usages = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
