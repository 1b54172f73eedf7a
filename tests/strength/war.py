"""`make war`: a million games of War by the command's own functions, against published figures.

52 cards, two seats, one card face down in a dispute, taken cards in random order, who cannot
complete a dispute loses. Published: mean, median, 95 %, 99 % and 99.9 % of the tricks.
"""

import os
import sys
import time
from functools import partial

from cardroom.arena.figures import Figures, merge
from cardroom.arena.request import describe, parts_of, run_part, run_parts
from cardroom.arena.statistics import describe as described
from tests.strength.kernels import WAR

GAMES = 1_000_000
PUBLISHED = {"mean": 441.7, "median": 334, "p95": 1164, "p99": 1739, "p999": 2556}
WITHIN = 0.02
MOST_SECONDS = 75


def played() -> tuple[dict[str, float], Figures, float]:
    """The five figures, all figures, seconds of processor time."""
    request = describe("pyanitsa", values=WAR, games=GAMES, seed=1)
    begun = time.process_time()
    done = run_parts(partial(run_part, request), parts_of(request), jobs(), threads=True)
    figures = merge(part for _, part in done)
    found = described(figures.measures["tricks"])
    spent = time.process_time() - begun
    values = {name: getattr(found, name) for name in PUBLISHED if name != "mean"}
    return {"mean": found.mean.value} | values, figures, spent


def is_reached(values: dict[str, float], spent: float) -> bool:
    off = [abs(values[name] / published - 1) for name, published in PUBLISHED.items()]
    return max(off) <= WITHIN and spent <= MOST_SECONDS


def a_million_games() -> tuple[str, str, bool]:
    """Pyanitsa, a million games of War by the functions of `simulate`, five published figures"""
    values, _, spent = played()
    told = ", ".join(f"{name} {value:,.1f}" for name, value in values.items())
    wanted = ", ".join(f"{value:,}" for value in PUBLISHED.values())
    must = f"{wanted} within {WITHIN:.0%}, ≤ {MOST_SECONDS} s"
    return f"{told}; {spent:.0f} s of processor time", must, is_reached(values, spent)


def main() -> None:
    values, figures, spent = played()
    for name, value in values.items():
        print(f"{name:>7} {value:9.1f}   published {PUBLISHED[name]}")
    print(f"{GAMES:,} games, {figures.by_kernels:,} by kernels, {spent:.0f} s of processor time")
    sys.exit(not is_reached(values, spent))


def jobs() -> int:
    return int(os.environ.get("JOBS", "1"))


ROWS = [a_million_games]

if __name__ == "__main__":
    main()
