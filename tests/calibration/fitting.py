"""The shift and the stretch of log-odds under which the chances of some decisions come true best.

Logistic regression of what came of them, by Newton's method. What is certain has no log-odds and
reads as it is.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from typing import Final

from cardroom.rules.state_fields import Line
from tests.calibration.collecting import Judged

ROUNDS: Final = 25
LEAST: Final = 300  # decisions of a stage; fewer say too little of it


def lines(judged: Iterable[Judged]) -> Mapping[str, Line]:
    by_stage: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        if 0 < one.chance < 1:
            by_stage[one.stage].append(one)
    return {
        stage: line(by_stage[stage]) for stage in sorted(by_stage) if len(by_stage[stage]) >= LEAST
    }


def line(judged: Sequence[Judged]) -> Line:
    """Rounded to hundredths."""
    points = [(log(one.chance / (1 - one.chance)), one.came) for one in judged]
    shift, stretch = 0.0, 1.0
    for _ in range(ROUNDS):
        by_shift = by_stretch = both = squares = weights = 0.0
        for odds, came in points:
            chance = 1 / (1 + exp(-shift - stretch * odds))
            weight = chance * (1 - chance)
            by_shift += came - chance
            by_stretch += odds * (came - chance)
            weights, both, squares = (
                weights + weight,
                both + weight * odds,
                squares + weight * odds * odds,
            )
        spread = weights * squares - both * both
        shift += (squares * by_shift - both * by_stretch) / spread
        stretch += (weights * by_stretch - both * by_shift) / spread
    return Line(round(shift, 2), round(stretch, 2))
