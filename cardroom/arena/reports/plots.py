"""Pictures of a simulation: how long matches are, how many still run, who wins.

Apart because it needs matplotlib, which comes with the extra ``arena`` and is imported only when a
picture is drawn. Figures are drawn without a screen and without global state, so any process may.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec

from cardroom.arena.errors import PlotsMissing
from cardroom.arena.figures import Figures
from cardroom.arena.players.names import find_game
from cardroom.arena.reports.report import Report
from cardroom.arena.reports.summary import Summary
from cardroom.arena.request import SimulationRequest
from cardroom.arena.statistics import Histogram

_BARS: Final = 60
_ROOMY: Final = 8  # more seats need smaller names
INK, _MARK, FILL = "#1f2933", "#b4232c", "#3b6ea5"


def draw(report: Report, folder: Path) -> tuple[Path, ...]:
    """Draws every picture as PNG into ``folder``; ``PlotsMissing`` without matplotlib."""
    sheet = sheet_type()
    folder.mkdir(parents=True, exist_ok=True)
    return tuple(
        _draw_one(sheet, picture, report, folder / name) for name, picture in PICTURES.items()
    )


def sheet_type() -> Any:
    try:
        return import_module("matplotlib.figure").Figure
    except ImportError:
        raise PlotsMissing(
            "Pictures need matplotlib, which is not installed: pip install 'cardroom[arena]'."
        ) from None


def _draw_one(
    new_sheet: Any, picture: Callable[[Any, Report], None], report: Report, path: Path
) -> Path:
    sheet = new_sheet(figsize=(9, 5), layout="constrained")
    axes = sheet.add_subplot()
    picture(axes, report)
    axes.spines[["top", "right"]].set_visible(False)
    sheet.suptitle(_heading(report.simulation), color=INK)
    axes.set_title(_subheading(report.simulation, report.figures), fontsize=9, color=INK)
    sheet.savefig(path, dpi=120, metadata={"Software": "Cardroom"})
    return path


def _length(axes: Any, report: Report) -> None:
    """How many matches ended after how many plies or tricks."""
    summary = report.summary
    length = summary.measures[summary.length]
    lengths = report.figures.measures[summary.length]
    width = max(1, -(-(length.longest - length.shortest + 1) // _BARS))
    bars = _binned(lengths, length.shortest, width)
    axes.bar(list(bars), list(bars.values()), width=width * 0.94, align="edge", color=FILL)
    for value, dashes, name in (
        (length.mean.value, "-", f"mean {length.mean.value:,.1f}"),
        (length.median, "--", f"median {length.median:,.0f}"),
        (length.p95, ":", f"95 % within {length.p95:,}"),
    ):
        axes.axvline(value, color=_MARK, linestyle=dashes, label=name)
    axes.legend(frameon=False)
    unit = summary.length if width == 1 else f"{summary.length}, bars of {width}"
    axes.set_xlabel(f"Length of a match ({unit})")
    axes.set_ylabel("Matches")


def _survival(axes: Any, report: Report) -> None:
    """The share of matches still running after each length."""
    summary = report.summary
    lengths = [step.length for step in summary.survival]
    axes.step(lengths, [step.share * 100 for step in summary.survival], where="post", color=FILL)
    axes.set_ylim(0, 102)
    axes.set_xlim(left=0)
    axes.grid(alpha=0.25)
    axes.set_xlabel(f"{summary.length.capitalize()} played")
    axes.set_ylabel("Matches still running (%)")


def _wins(axes: Any, report: Report) -> None:
    """The share of matches each seat won, with its error and what would be fair."""
    seats = report.summary.seats
    places = range(len(seats))
    shares = [seat.wins.value * 100 for seat in seats]
    below = [max(0.0, (seat.wins.value - seat.wins.low) * 100) for seat in seats]
    above = [max(0.0, (seat.wins.high - seat.wins.value) * 100) for seat in seats]
    axes.bar(places, shares, yerr=(below, above), capsize=5, color=FILL, ecolor=INK)
    fair = 100 * _winners_a_match(report.summary) / len(seats)
    axes.axhline(fair, color=_MARK, linestyle="--", label=f"even share, {fair:.1f} %")
    axes.set_xticks(list(places), [f"{place}\n{seats[place].bot}" for place in places])
    axes.tick_params("x", labelsize=10 if len(seats) <= _ROOMY else 6)
    axes.set_xlabel("Seat")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    axes.set_ylabel("Matches won (%), with 95 % interval")


PICTURES: Final[Mapping[str, Callable[[Any, Report], None]]] = {
    "length.png": _length,
    "survival.png": _survival,
    "wins.png": _wins,
}


def _binned(histogram: Histogram, start: int, width: int) -> dict[int, int]:
    """Bars of equal width by their left edge."""
    bars: dict[int, int] = {}
    for value, times in histogram.items():
        edge = start + (value - start) // width * width
        bars[edge] = bars.get(edge, 0) + times
    return bars


def _winners_a_match(summary: Summary) -> float:
    """One, or two where partners win together; less what was drawn."""
    return sum(seat.won for seat in summary.seats) / summary.matches


def _heading(request: SimulationRequest) -> str:
    counts = Counter(request.bots)
    bots = ", ".join(f"{times} × {bot}" for bot, times in counts.items())
    return f"{find_game(request.game).name}, {len(request.bots)} seats: {bots}"


def _subheading(request: SimulationRequest, figures: Figures) -> str:
    """How many matches, and the options that are not those of the rules."""
    usual = msgspec.to_builtins(find_game(request.game).options())
    chosen = (f"{name} {value}" for name, value in request.options.items() if value != usual[name])
    return ", ".join((f"{figures.matches:,} matches, seed {request.seed}", *chosen))
