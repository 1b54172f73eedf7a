"""Shithead: how often the stronger bot is the shed among keepers and plain searches, and the levels
below it.
"""

from typing import Final

from tests.strength.contest import Contest
from tests.strength.opponents.flat_shithead import flat

TABLE: Final = 16_000  # playouts a move; pure Python plays an eighth in an eighth of the time

ROWS = [
    Contest("shithead", "strong_searcher", ["keeper"], 12, 2, shed=True).row(),
    Contest(
        "shithead", "strong_searcher", ["keeper"] * 3, 48, 1.5, shed=True, options={"players": 4}
    ).row(),
    Contest("shithead", "searcher", ["keeper"], 200, 40, shed=True).row(),
    Contest("shithead", "strong_searcher", ["searcher"], 20, 40, shed=True).row(),
    Contest("shithead", "keeper", ["lowest"], 2000, 40, shed=True).row(),
    Contest("shithead", "lowest", ["random"], 2000, 40, shed=True).row(),
    Contest("shithead", "strong_searcher", ["keeper"], 6).pace(40, compiled=True),
    Contest("shithead", f"strong_searcher:playouts={TABLE // 8}", ["keeper"], 2).pace(
        2000 // 8, compiled=False
    ),
    *[
        Contest(
            "shithead", "strong_searcher", [flat(samples, playouts)], games, 50, shed=True
        ).row()
        for samples, playouts, games in (
            (200, "random", 60),
            (200, "sensible", 40),
            (1000, "sensible", 40),
            (5000, "sensible", 10),
        )
    ],
]
