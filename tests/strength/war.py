"""`make war`: a million games of War by the command's own functions, against published figures.

52 cards, two seats, one card face down in a dispute, taken cards in random order, who cannot
complete a dispute loses. Published: mean, median, 95 %, 99 % and 99.9 % of the tricks.
"""

import os
import sys
import time
from functools import partial

from games.arena.figures import merge
from games.arena.process_pool import run_parts
from games.arena.request import describe, parts_of, run_part
from games.arena.statistics import describe as described
from tests.strength.kernels import WAR

GAMES = 1_000_000
PUBLISHED = {"mean": 441.7, "median": 334, "p95": 1164, "p99": 1739, "p999": 2556}
WITHIN = 0.02


def main() -> None:
    request = describe("pyanitsa", values=WAR, games=GAMES, seed=1)
    begun = time.process_time()
    done = run_parts(partial(run_part, request), parts_of(request), jobs(), threads=True)
    figures = merge(part for _, part in done)
    found = described(figures.measures["tricks"])
    spent = time.process_time() - begun
    wrong = 0
    for name, published in PUBLISHED.items():
        value = found.mean.value if name == "mean" else getattr(found, name)
        wrong += abs(value / published - 1) > WITHIN
        print(f"{name:>7} {value:9.1f}   published {published}")
    print(f"{GAMES:,} games, {figures.by_kernels:,} by kernels, {spent:.0f} s of processor time")
    sys.exit(1 if wrong or spent > 75 else 0)


def jobs() -> int:
    return int(os.environ.get("JOBS", "1"))


if __name__ == "__main__":
    main()
