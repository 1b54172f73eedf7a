"""Pişti: what each level must win against the one below and plain searches; matches to 151."""

from tests.strength.contest import Contest
from tests.strength.opponents.flat_pisti import flat

ROWS = [
    Contest("pisti", "searcher", ["counter"], 1000, 65).row(),
    Contest("pisti", "searcher", ["greedy"], 10_000, 92).row(),
    Contest("pisti", "counter", ["greedy"], 1000, 60).row(),
    Contest("pisti", "greedy", ["random"], 1000, 60).row(),
    Contest("pisti", "searcher", ["counter"], 20).pace(5, compiled=True),
    Contest("pisti", "searcher", ["counter"], 4).pace(50, compiled=False),
    Contest("pisti", "searcher", [flat(200, "random")], 100, 50).row(),
    Contest("pisti", "searcher", [flat(200)], 200, 50).row(),
    Contest("pisti", "searcher", [flat(1000)], 100, 50).row(),
]
