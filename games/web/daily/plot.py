"""Scores as small bars, a row for people and one for each computer, on one scale."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.daily.results import Results

WIDTH: Final = 320
HEIGHT: Final = 40
MOST_BARS: Final = 32


@dataclass(frozen=True)
class Bar:
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Row:
    """``bot`` is empty for people."""

    bot: str
    matches: int
    mean: float
    bars: list[Bar]


@dataclass(frozen=True)
class Plot:
    """``mark`` is where the reader's own score lies."""

    low: int
    high: int
    rows: list[Row]
    mark: float | None
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True)
class Scale:
    """Scores from ``low`` on, ``step`` of them to a bar."""

    low: int
    step: int
    bars: int

    def bar_of(self, score: int) -> int:
        return (score - self.low) // self.step

    def x_of(self, bar: float) -> float:
        return round(WIDTH * bar / self.bars, 1)


def plot_of(results: Results, own: int | None) -> Plot | None:
    """``None`` where nobody has played."""
    rows = {"": results.people, **results.computers}
    scores = [score for counts in rows.values() for score in counts]
    if not scores:
        return None
    low, high = min(scores), max(scores)
    step = -(-(high - low + 1) // MOST_BARS)
    scale = Scale(low, step, (high - low) // step + 1)
    mark = None if own is None else scale.x_of(scale.bar_of(own) + 0.5)
    return Plot(low, high, [_row(*each, scale) for each in rows.items() if each[1]], mark)


def _row(bot: str, counts: Mapping[int, int], scale: Scale) -> Row:
    bars = [0] * scale.bars
    for score, count in counts.items():
        bars[scale.bar_of(score)] += count
    matches, most = sum(bars), max(bars)
    mean = sum(score * count for score, count in counts.items()) / matches
    gap = 1 if scale.bars > 1 else 0
    drawn = [
        Bar(
            scale.x_of(n),
            round(HEIGHT * (1 - count / most), 1),
            round(WIDTH / scale.bars - gap, 1),
            round(HEIGHT * count / most, 1),
        )
        for n, count in enumerate(bars)
        if count
    ]
    return Row(bot, matches, mean, drawn)
