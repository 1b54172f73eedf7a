"""A seat's chance to win over the match, drawn with what chance did and what the seat did.

Between two decisions of the seat the cards and the others move the chance; at a decision only the
seat does, downwards by what it cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from games.coaching.judging.summary import SeatSummary
from games.coaching.judging.verdicts import Verdict

WIDTH: Final = 600
HEIGHT: Final = 180


@dataclass(frozen=True)
class Chart:
    """``chance`` and ``play`` are the paths of the two kinds of steps; ``marks`` costly moves."""

    chance: str
    play: str
    marks: list[tuple[int, int, int]] = field(default_factory=list)  # x, y, version
    width: int = WIDTH
    height: int = HEIGHT
    middle: int = HEIGHT // 2


def chart(summary: SeatSummary, verdicts: Sequence[Verdict], last: int) -> Chart:
    """``verdicts`` are those of the seat, ``last`` is the version at the end of the match."""
    chance, play = [f"M0 {_y(summary.start)}"], []
    marks = []
    for verdict in verdicts:
        x, before, after = _x(verdict.version, last), _y(verdict.best.chance), 0
        after = _y(verdict.best.chance - verdict.cost)
        chance.append(f"L{x} {before}M{x} {after}")
        if after != before:
            play.append(f"M{x} {before}V{after}")
        if verdict.grade in ("mistake", "blunder"):
            marks.append((x, after, verdict.version))
    chance.append(f"L{WIDTH} {_y(summary.result - summary.unplayed)}")
    return Chart("".join(chance), "".join(play), marks)


def _x(version: int, last: int) -> int:
    return round(WIDTH * version / max(1, last))


def _y(chance: float) -> int:
    return round(HEIGHT * (1 - min(1.0, max(0.0, chance))))
