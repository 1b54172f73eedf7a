"""The reliability of stated chances, tenth by tenth, with intervals by match."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import Final

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


@dataclass(frozen=True)
class Agreement:
    """Of the moves that the coach called best, how many a search of 20 times the work did too."""

    tried: int
    share: float


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


def agreement(judged: Sequence[Judged]) -> Agreement:
    tried = [one for one in judged if one.is_best and one.stays is not None]
    return Agreement(len(tried), fmean(float(one.stays) for one in tried) if tried else 0.0)
