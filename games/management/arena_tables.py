"""The tables of ``manage.py arena``: one for each contest, and one for a round robin.

Columns that cannot vary are left out.
"""

from collections.abc import Mapping

from rich.table import Table

from cardroom.arena.players.names import choose_options, find_game
from cardroom.arena.ranking.contests import Contest, Tournament
from cardroom.arena.series import Clock
from cardroom.arena.statistics import Interval
from games.management import terminal


def results_table(contest: Contest, clocks: Mapping[str, Clock]) -> Table:
    request = contest.simulation
    game = find_game(request.game)
    lines = Table(title=f"{game.name}, {len(request.bots)} seats, seed {request.seed}")
    timed = any(clock.moves for clock in clocks.values())
    margins = contest.margins
    for heading in ("bot", "seats"):
        lines.add_column(heading)
    sides = game.sides_of(choose_options(game, request.options))
    lasts = len(sides) > 2  # of two sides the one that has not won is the last
    headings = ["won %", "drawn %", "score %", "95 %", *(["last %", "95 %"] if lasts else ())]
    headings.append(terminal.points_heading(request.game))
    headings += ["margin"] if margins else []
    headings += ["CPU µs a move"] if timed else []
    for heading in headings:
        lines.add_column(heading, justify="right")
    for row in contest.summary.bots:
        score = contest.scores[row.bot]
        lines.add_row(
            row.bot,
            str(request.bots.count(row.bot)),
            terminal.percent(row.wins.value),
            terminal.percent(row.draws.value),
            terminal.percent(score.value),
            terminal.percents(score),
            *([terminal.percent(row.last.value), terminal.percents(row.last)] if lasts else ()),
            f"{row.points:,.1f}",
            *([_margin(margins[row.bot])] if margins else ()),
            *([f"{clocks[row.bot].microseconds_a_move:,.1f}"] if timed else ()),
        )
    return lines


def _margin(margin: Interval) -> str:
    return f"{margin.value:+,.2f} ± {margin.high - margin.value:,.2f}"


def footing(contest: Contest, rate: float) -> str:
    summary = contest.summary
    measures = ", ".join(
        f"{measure.mean.value:,.1f} {name}" for name, measure in summary.measures.items()
    )
    pairs = " Intervals of score and margin come from mirrored matches." if contest.margins else ""
    pairs += _luck(contest)
    played = f"{summary.matches:,} matches ({rate:,.0f} a second), on average {measures}."
    return f"{played}{pairs} {terminal.played_by(contest.simulation)}"


def _luck(contest: Contest) -> str:
    """How much the cards decide between the bots, where that can be told."""
    first = contest.luck.get(contest.summary.bots[0].bot)
    return "" if first is None else f" Luck of the cards is {first:.0%} of what results vary."


def ranking_table(tournament: Tournament) -> Table:
    rows, skills = tournament.ranking, tournament.openskill
    lines = Table(title="Round robin: score in %, ratings by Bradley and Terry")
    lines.add_column("bot")
    lines.add_column("rating", justify="right")
    lines.add_column("95 %", justify="right")
    if skills is not None:
        lines.add_column("openskill", justify="right")
    lines.add_column("mean", justify="right")
    for row in rows:
        lines.add_column(f"against {row.bot}", justify="right")
    for row in rows:
        rating, met = tournament.ratings[row.bot], (row.against.get(other.bot) for other in rows)
        lines.add_row(
            row.bot,
            f"{rating.value:.0f}",
            f"{rating.low:.0f}–{rating.high:.0f}",
            *([f"{skills[row.bot].mu:.1f} ± {skills[row.bot].sigma:.1f}"] if skills else ()),
            terminal.percent(row.score),
            *("" if share is None else terminal.percent(share.value) for share in met),
        )
    return lines
