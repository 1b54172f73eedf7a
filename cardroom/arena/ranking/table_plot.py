"""A picture of a round robin: who scored how much against whom, and the ratings.

Colours go from orange over white, which is even, to blue: they differ for the colour-blind too, and
in grey by how far from even they are.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from cardroom.arena.ranking.ratings import MEAN
from cardroom.arena.ranking.tournament import RankingRow
from cardroom.arena.reports.plots import FILL, INK, sheet_type
from cardroom.arena.statistics import Interval

NAME: Final = "table.png"
COLOURS: Final = "PuOr"
PALE: Final = 0.32  # the share of the scale on either side of even that is pale enough for ink
LEAST_SPAN: Final = 100.0  # points of rating on either side of the middle


def draw(
    rows: Sequence[RankingRow], ratings: Mapping[str, Interval], path: Path, even: float = 0.5
) -> Path:
    """Draws the table as PNG; ``even`` is what equals score. ``PlotsMissing`` without
    matplotlib."""
    sheet = sheet_type()(figsize=(11, 5), layout="constrained")
    table, line = sheet.subplots(1, 2, width_ratios=(3, 2))
    _scores(table, rows, even)
    _ratings(line, ratings)
    sheet.savefig(path, dpi=120, metadata={"Software": "Cardroom"})
    return path


def _scores(axes: Any, rows: Sequence[RankingRow], even: float) -> None:
    bots = [row.bot for row in rows]
    shares = [
        [row.against[bot].value if bot in row.against else None for bot in bots] for row in rows
    ]
    cells = [[even if share is None else share for share in row] for row in shares]
    scale = import_module("matplotlib.colors").TwoSlopeNorm(vmin=0, vcenter=even, vmax=1)
    axes.imshow(cells, norm=scale, cmap=COLOURS)
    for across, row in enumerate(shares):
        for along, share in enumerate(row):
            text = "" if share is None else f"{share * 100:.1f}"
            away = 0.0 if share is None else abs(float(scale(share)) - 0.5)
            colour = INK if away < PALE else "white"
            axes.text(along, across, text, ha="center", va="center", color=colour)
    axes.set_xticks(range(len(bots)), bots, rotation=30, ha="right")
    axes.set_yticks(range(len(bots)), bots)
    heading = f"Score of the row against the column (%), draws half; white is {even * 100:.0f}"
    axes.set_title(heading, fontsize=10, color=INK)


def _ratings(axes: Any, ratings: Mapping[str, Interval]) -> None:
    bots = list(ratings)
    values = [ratings[bot].value for bot in bots]
    below = [max(0.0, ratings[bot].value - ratings[bot].low) for bot in bots]
    above = [max(0.0, ratings[bot].high - ratings[bot].value) for bot in bots]
    axes.axvline(MEAN, color=INK, linestyle="--", linewidth=0.8)
    axes.errorbar(values, range(len(bots)), xerr=(below, above), fmt="o", color=FILL, capsize=4)
    span = _span(ratings)
    axes.set_xlim(MEAN - span, MEAN + span)  # so that even is in the middle
    axes.set_yticks(range(len(bots)), bots)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    heading = f"Rating, with 95 % interval; the line is {MEAN:.0f}, the mean"
    axes.set_title(heading, fontsize=10, color=INK)


def _span(ratings: Mapping[str, Interval]) -> float:
    """How far the furthest end of an interval lies from the mean, and a little more."""
    ends = [abs(end - MEAN) for rating in ratings.values() for end in (rating.low, rating.high)]
    return 1.08 * max([LEAST_SPAN, *ends])
