"""A simulation on disk: one JSON file with everything, CSV tables beside it."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from cardroom.arena.figures import Figures
from cardroom.arena.players.names import find_game
from cardroom.arena.reports.summary import Summary
from cardroom.arena.request import SimulationRequest

JSON, MEASURES, LENGTHS, SEATS = "simulation.json", "measures.csv", "lengths.csv", "seats.csv"


class Report(msgspec.Struct, frozen=True):
    """The request, what was found, and the exact figures it was computed from."""

    simulation: SimulationRequest
    summary: Summary
    figures: Figures


def to_json(report: Report) -> bytes:
    """The report as indented JSON; the same report gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def write(report: Report, folder: Path) -> tuple[Path, ...]:
    """Writes the JSON and CSV files into ``folder`` (made when missing); returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / JSON).write_bytes(to_json(report))
    write_table(folder / MEASURES, _measure_rows(report.summary))
    write_table(folder / LENGTHS, _length_rows(report))
    write_table(folder / SEATS, _seat_rows(report))
    return tuple(folder / name for name in (JSON, MEASURES, LENGTHS, SEATS))


def _measure_rows(summary: Summary) -> Iterable[Sequence[object]]:
    yield (
        "measure", "mean", "mean_low", "mean_high", "deviation",
        "median", "p95", "p99", "p999", "shortest", "longest",
    )  # fmt: skip
    for name, of in summary.measures.items():
        mean = of.mean
        yield (
            name, mean.value, mean.low, mean.high, of.deviation,
            of.median, of.p95, of.p99, of.p999, of.shortest, of.longest,
        )  # fmt: skip


def _length_rows(report: Report) -> Iterable[Sequence[object]]:
    yield report.summary.length, "matches", "share_longer"
    lengths = report.figures.measures[report.summary.length]
    for step in report.summary.survival:
        yield step.length, lengths.get(step.length, 0), step.share


def points_column(game: str) -> str:
    """The heading of a column of points, which are places in some games."""
    return "places" if find_game(game).points_are_places else "points"


def _seat_rows(report: Report) -> Iterable[Sequence[object]]:
    yield (
        "seat",
        "bot",
        "matches",
        "won",
        "wins",
        "wins_low",
        "wins_high",
        "draws",
        "last",
        points_column(report.simulation.game),
    )
    for seat, tally in enumerate(report.summary.seats):
        wins = tally.wins
        yield (
            seat, tally.bot, tally.matches, tally.won, wins.value, wins.low, wins.high,
            tally.draws.value, tally.last.value, tally.points,
        )  # fmt: skip


def write_table(path: Path, rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
