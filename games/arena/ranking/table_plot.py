"""A picture of a round robin: who scored how much against whom, and the ratings."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from games.arena.ranking.tournament import RankingRow
from games.arena.reports.plots import FILL, INK, sheet_type
from games.arena.statistics import Interval

NAME = "table.png"


def draw(rows: Sequence[RankingRow], ratings: Mapping[str, Interval], path: Path) -> Path:
    """Draws the table as PNG; ``PlotsMissing`` without matplotlib."""
    sheet = sheet_type()(figsize=(11, 5), layout="constrained")
    table, line = sheet.subplots(1, 2, width_ratios=(3, 2))
    _scores(table, rows)
    _ratings(line, ratings)
    sheet.savefig(path, dpi=120, metadata={"Software": "Cardroom"})
    return path


def _scores(axes: Any, rows: Sequence[RankingRow]) -> None:
    bots = [row.bot for row in rows]
    shares = [
        [row.against[bot].value if bot in row.against else None for bot in bots] for row in rows
    ]
    cells = [[0.5 if share is None else share for share in row] for row in shares]
    axes.imshow(cells, vmin=0, vmax=1, cmap="RdYlGn")
    for across, row in enumerate(shares):
        for along, share in enumerate(row):
            text = "" if share is None else f"{share * 100:.1f}"
            axes.text(along, across, text, ha="center", va="center", color=INK)
    axes.set_xticks(range(len(bots)), bots, rotation=30, ha="right")
    axes.set_yticks(range(len(bots)), bots)
    axes.set_title("Score of the row against the column (%), draws half", fontsize=10, color=INK)


def _ratings(axes: Any, ratings: Mapping[str, Interval]) -> None:
    bots = list(ratings)
    values = [ratings[bot].value for bot in bots]
    below = [max(0.0, ratings[bot].value - ratings[bot].low) for bot in bots]
    above = [max(0.0, ratings[bot].high - ratings[bot].value) for bot in bots]
    axes.errorbar(values, range(len(bots)), xerr=(below, above), fmt="o", color=FILL, capsize=4)
    axes.set_yticks(range(len(bots)), bots)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("Rating, with 95 % interval", fontsize=10, color=INK)
