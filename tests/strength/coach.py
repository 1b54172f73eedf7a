"""The cost of an analysis: every decision of a match judged, on the reference core.

As a worker does it, without the database; by matches of computers of about the coach's strength.
"""

from collections.abc import Callable
from time import process_time
from typing import Any

from cardroom.arena import compiled_code
from cardroom.rules import catalog
from games.coaching.judging import PLAYOUTS, judge
from tests.calibration.collecting import drawn, judge_for
from tests.calibration.settings import Setting
from tests.strength.contest import SCALE
from tests.strength.reference_core import Stopwatch

MATCHES = 8
SEED = 1
EVERY = 1.0  # decision
Row = tuple[str, str, bool]


def cost(slug: str, bot: str, most: float, title: str, **options: Any) -> Callable[[], Row]:
    def row() -> Row:
        compiled_code.warm_searches(slug)
        count = max(2, round(MATCHES * SCALE))
        setting = Setting(slug, bot, options, None, EVERY, count)
        game, decisions = catalog.find(slug), 0
        spent = []
        for number in range(count):
            match = list(drawn(setting, SEED, number, 1))
            watch = Stopwatch()
            for each in match:
                begun = process_time()
                judge(game, judge_for(game), each.decision, PLAYOUTS)
                watch.add(process_time() - begun)
            spent.append(watch.there())
            decisions += len(match)
        mean, worst = sum(spent) / count, max(spent)
        figure = f"{mean:.2f} s, at most {worst:.2f} ({decisions / count:.0f} decisions a match)"
        return figure, f"≤ {most:g} s", worst <= most

    row.__doc__ = f"{title}, seconds of the reference core"
    return row


ROWS = [
    cost("pisti", "counter", 1, "analysis of a two-seat deal of Pişti", target_score=None),
    cost("pisti", "counter", 8, "analysis of a match of Pişti to 151"),
    cost("pazaak", "professor", 3, "analysis of a best of three of Pazaak"),
    cost("shithead", "keeper", 15, "analysis of a game of Shithead with four", players=4),
]
