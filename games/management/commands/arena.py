"""``manage.py arena GAME BOT BOT --matches 2000``: strategies against each other."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.core.management.base import BaseCommand
from rich.table import Table

from games.arena.figures import Figures, merge
from games.arena.names import choose_options, find_game
from games.arena.request import SimulationRequest, describe, run_timed
from games.arena.series import Clock
from games.arena.summary import Summary, summarize
from games.arena.tournament import RankingRow, pairings, ranking
from games.management import terminal


class Command(BaseCommand):
    help = (
        "Plays bots against each other. Every sequence of decks is played once with every rotation "
        "of the seats. The last bot named takes the seats that are left, so that 'ONE OTHER "
        "--players 4' is one against three; in teams each name stands for a side. With more bots "
        "than seats they play a round robin."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        terminal.add_arguments(parser)
        parser.add_argument("bots", nargs="+", help="names of bots, or your own as module:function")
        parser.add_argument("--matches", type=int, default=1000, help="matches a pairing")
        parser.add_argument(
            "--round-robin", action="store_true", help="pair the bots though they have seats enough"
        )

    def handle(self, *args: Any, **arguments: Any) -> None:
        del args
        with terminal.plain_errors():
            self.compete(arguments)

    def compete(self, arguments: dict[str, Any]) -> None:
        seed, jobs = terminal.chosen_seed(arguments), terminal.chosen_jobs(arguments)
        requests = [_request(arguments, bots, seed) for bots in _seatings(arguments)]
        results = [self.contest(request, jobs) for request in requests]
        if len(results) > 1:
            rows = ranking(dict(zip(_seatings(arguments), results, strict=True)))
            terminal.console(self.stdout).print(_ranking_table(rows))

    def contest(self, request: SimulationRequest, jobs: int) -> Figures:
        label = " – ".join(dict.fromkeys(request.bots))
        parts, rate = terminal.play(
            request, run_timed, jobs, label=label, screen=terminal.console(self.stderr)
        )
        figures = merge(part for part, _ in parts)
        clocks = _added(clock for _, clock in parts)
        summary = summarize(request, figures)
        screen = terminal.console(self.stdout)
        screen.print(_results_table(request, summary, clocks))
        footing = f"{_footing(summary, rate)}. {terminal.played_by(request)}"
        screen.print(footing, style="dim", soft_wrap=True)
        return figures


def _seatings(arguments: dict[str, Any]) -> Sequence[tuple[str, ...]]:
    """One seating of the bots as named, or the pairings of a round robin."""
    game = find_game(arguments["game"])
    options = choose_options(
        game, terminal.chosen_options(arguments, "players"), arguments["preset"]
    )
    seats, bots = game.seats(options), tuple(arguments["bots"])
    if arguments["round_robin"] or len(bots) > seats:
        return pairings(bots, len(game.sides_of(options)))
    return (bots,)


def _request(arguments: dict[str, Any], bots: tuple[str, ...], seed: int) -> SimulationRequest:
    return describe(
        arguments["game"],
        values=terminal.chosen_options(arguments, "players"),
        preset=arguments["preset"],
        bots=bots,
        games=arguments["matches"],
        seed=seed,
        swap=True,
        custom=True,
    )


def _added(parts: Iterable[Mapping[str, Clock]]) -> dict[str, Clock]:
    total: dict[str, Clock] = {}
    for part in parts:
        for bot, clock in part.items():
            known = total.setdefault(bot, Clock())
            known.moves += clock.moves
            known.nanoseconds += clock.nanoseconds
    return total


def _results_table(
    request: SimulationRequest, summary: Summary, clocks: Mapping[str, Clock]
) -> Table:
    game = find_game(request.game)
    lines = Table(title=f"{game.name}, {len(request.bots)} seats, seed {request.seed}")
    for heading in ("bot", "seats"):
        lines.add_column(heading)
    for heading in ("won %", "95 %", "drawn %", "last %", "95 %", "points", "CPU µs a move"):
        lines.add_column(heading, justify="right")
    for found in summary.bots:
        lines.add_row(
            found.bot,
            str(request.bots.count(found.bot)),
            terminal.percent(found.wins.value),
            terminal.percents(found.wins),
            terminal.percent(found.draws.value),
            terminal.percent(found.last.value),
            terminal.percents(found.last),
            f"{found.points:,.1f}",
            f"{clocks[found.bot].microseconds_a_move:,.1f}" if clocks[found.bot].moves else "",
        )
    return lines


def _footing(summary: Summary, rate: float) -> str:
    measures = ", ".join(
        f"{found.mean.value:,.1f} {name}" for name, found in summary.measures.items()
    )
    return f"{summary.matches:,} matches ({rate:,.0f} a second), on average {measures}"


def _ranking_table(rows: Sequence[RankingRow]) -> Table:
    lines = Table(title="Round robin: % of matches won")
    lines.add_column("bot")
    lines.add_column("mean", justify="right")
    for row in rows:
        lines.add_column(f"against {row.bot}", justify="right")
    for row in rows:
        met = (row.against.get(other.bot) for other in rows)
        lines.add_row(
            row.bot,
            terminal.percent(row.score),
            *("" if share is None else terminal.percent(share.value) for share in met),
        )
    return lines
