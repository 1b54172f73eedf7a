"""The reliability of stated chances, tenth by tenth, with intervals by match."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import Final, NamedTuple

from tests.calibration.collecting import Judged

TENTHS: Final = 10


@dataclass(frozen=True)
class Tenth:
    """Of all decisions with a chance in this tenth: the mean of what was stated and what came.

    ``error`` is the standard error of what came; the decisions of one match count as one.
    """

    tenth: int
    decisions: int
    matches: int
    stated: float
    came: float
    error: float


def tenths(judged: Sequence[Judged]) -> list[Tenth]:
    by_tenth: defaultdict[int, list[Judged]] = defaultdict(list)
    for one in judged:
        by_tenth[min(TENTHS - 1, int(TENTHS * one.chance))].append(one)
    return [_tenth(number, by_tenth[number]) for number in sorted(by_tenth)]


def _tenth(number: int, judged: Sequence[Judged]) -> Tenth:
    came = fmean(one.came for one in judged)
    residues: defaultdict[int, float] = defaultdict(float)
    for one in judged:
        residues[one.match] += one.came - came
    error = sqrt(sum(residue**2 for residue in residues.values())) / len(judged)
    stated = fmean(one.chance for one in judged)
    return Tenth(number, len(judged), len(residues), stated, came, error)


def row(tenth: Tenth) -> str:
    """Stated and came in percent, ± two standard errors."""
    stated, came, reach = (100 * x for x in (tenth.stated, tenth.came, 2 * tenth.error))
    return f"{stated:.1f} → {came:.1f} ± {reach:.1f}"


def heading(tenth: int) -> str:
    return f"{10 * tenth} to {10 * tenth + 10}"


class Column(NamedTuple):
    """The reliability of a setting."""

    name: str
    decisions: int
    matches: int
    tenths: list[Tenth]

    @property
    def furthest(self) -> float:
        """How far off the tenth is whose chances are the least right."""
        return max(abs(each.came - each.stated) for each in self.tenths)


def column(name: str, judged: Sequence[Judged]) -> Column:
    return Column(name, len(judged), len({one.match for one in judged}), tenths(judged))


def table(columns: Sequence[Column]) -> str:
    """The table of the documentation: a row a tenth, a column a setting."""
    heads = [f"{one.name} ({one.decisions:,} of {one.matches:,} matches)" for one in columns]
    by_column = [{each.tenth: row(each) for each in one.tenths} for one in columns]
    lines = [["Stated", *heads], ["---"] * (1 + len(heads))]
    lines += [[heading(n), *(c.get(n, "–") for c in by_column)] for n in range(TENTHS)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
