"""``manage.py simulate GAME --players 4 --games 20000``: how long matches are, who wins."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.table import Table

from cardroom.arena import reports
from cardroom.arena.figures import merge
from cardroom.arena.players import choose_options, find_game
from cardroom.arena.reports import Report, Summary, summarize, write
from cardroom.arena.request import SimulationRequest, describe, run_part
from cardroom.arena.statistics import BadRequest
from games.management import terminal


class Command(BaseCommand):
    help = (
        "Plays many matches with a bot at every seat and says how long they were and who won. The "
        "same seed gives the same figures with any --jobs and by either engine: kernels play where "
        "they cover every option and bot, else the rules. With --out the figures are written as "
        "JSON and CSV beside plots."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        terminal.add_arguments(parser)
        parser.add_argument("--deck", type=int, help="short for --option deck=N")
        parser.add_argument("--games", type=int, default=1000, help="matches to play")
        parser.add_argument(
            "--bots",
            default="",
            help="a bot a seat, by name or your own as module:function, with commas between; the "
            "last one takes the seats that are left; by default the game's stand-in plays all",
        )
        terminal.add_luck_arguments(parser)
        parser.add_argument("--out", type=Path, help="folder for JSON, CSV and plots")

    def handle(self, *args: Any, **arguments: Any) -> None:
        del args
        with terminal.plain_errors():
            if arguments["aivat"]:
                self.without_luck(arguments)
            else:
                self.simulate(arguments)

    def without_luck(self, arguments: dict[str, Any]) -> None:
        if arguments["out"] is not None:
            raise BadRequest("--aivat writes nothing; leave --out away.")
        terminal.show_luck(
            _request(arguments),
            terminal.chosen_jobs(arguments),
            terminal.console(self.stderr),
            terminal.console(self.stdout),
            by_seat=True,
            value=arguments["value"],
        )

    def simulate(self, arguments: dict[str, Any]) -> None:
        request = _request(arguments)
        parts, rate = terminal.play(
            request,
            run_part,
            terminal.chosen_jobs(arguments),
            label=request.game,
            screen=terminal.console(self.stderr),
        )
        figures = merge(parts)
        summary = summarize(request, figures)
        screen = terminal.console(self.stdout)
        _show(screen, request, summary, rate)
        if arguments["out"] is not None:
            _save(screen, Report(request, summary, figures), arguments["out"])


def _request(arguments: dict[str, Any]) -> SimulationRequest:
    return describe(
        arguments["game"],
        values=terminal.chosen_options(arguments, "players", "deck"),
        preset=arguments["preset"],
        bots=[name for name in arguments["bots"].split(",") if name],
        games=arguments["games"],
        seed=terminal.chosen_seed(arguments),
        custom=True,
    )


def _show(screen: Console, request: SimulationRequest, summary: Summary, rate: float) -> None:
    name = find_game(request.game).name
    screen.print(
        f"{name}: {summary.matches:,} matches, seed {request.seed}, {rate:,.0f} a second. "
        f"{_unfinished(request, summary)}"
        f"{terminal.played_by(request)}",
        soft_wrap=True,
    )
    terminal.print_table(screen, _measures(summary))
    terminal.print_table(screen, _seats(request, summary))


def _unfinished(request: SimulationRequest, summary: Summary) -> str:
    """Empty if the rules never stop a match."""
    game = find_game(request.game)
    if not game.may_be_stopped(choose_options(game, request.options)):
        return ""
    return f"Unfinished at the limit: {terminal.percent(summary.unfinished.value)} %. "


def _measures(summary: Summary) -> Table:
    lines = Table(title="In a match (± is the 95 % interval of the mean)")
    lines.add_column("")
    for heading in ("mean", "±", "median", "p95", "p99", "p99.9", "longest"):
        lines.add_column(heading, justify="right")
    for name, measure in summary.measures.items():
        lines.add_row(
            name,
            f"{measure.mean.value:,.2f}",
            f"{measure.mean.high - measure.mean.value:,.2f}",
            f"{measure.median:,.1f}".removesuffix(".0"),
            *(f"{value:,}" for value in (measure.p95, measure.p99, measure.p999, measure.longest)),
        )
    return lines


def _seats(request: SimulationRequest, summary: Summary) -> Table:
    lines = Table(title="Seats")
    for heading in ("seat", "bot"):
        lines.add_column(heading)
    for heading in ("won %", "95 %", "drawn %", "last %", terminal.points_heading(request.game)):
        lines.add_column(heading, justify="right")
    for seat, figures in enumerate(summary.seats):
        lines.add_row(
            str(seat),
            figures.bot,
            terminal.percent(figures.wins.value),
            terminal.percents(figures.wins),
            terminal.percent(figures.draws.value),
            terminal.percent(figures.last.value),
            f"{figures.points:,.2f}",
        )
    return lines


def _save(screen: Console, report: Report, folder: Path) -> None:
    """The figures first: they are worth having even if the pictures cannot be drawn."""
    written = write(report, folder)
    try:
        written += reports.draw(report, folder)
    finally:
        for path in written:
            screen.print(f"wrote {path}", soft_wrap=True)
