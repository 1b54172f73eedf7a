"""How near the searcher of Pişti comes to the points that follow the end of a block.

    python -m tests.strength.foresight --matches 1200 --jobs 2

plays matches of `searcher` against `counter`, each deal from both seats. At the end of each block
but the last one of a deal the tables (``points_to_come``) and the formula that is used where there
are none (``outlook.estimated``) say what is to come; the end of the deal says what came. Mean
errors by block and by who starts the next one do not count, for they are the same for each choice.
The last line says how much nearer the tables come: the difference of the mean squares.
"""

import argparse
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from games.arena import compiled_code
from games.arena.playouts import MatchInPlay
from games.arena.series import generator
from games.arena.statistics import Z95
from games.rules import catalog
from games.rules.pisti.bots.outlook import estimated
from games.rules.pisti.bots.points_to_come import points_to_come
from games.rules.pisti.bots.world import BLOCK, PistiWorld
from games.rules.pisti.luck import laid_out
from games.rules.shuffles import seeded
from games.rules.values import Setup

PISTI = catalog.find("pisti")


class End(NamedTuple):
    """Of a block, as the searcher sees it: its number, whether the searcher starts the next one,
    what tables and formula foresee, and what came."""

    block: int
    starts: bool
    tables: float
    formula: float
    came: float


def ends_of(number: int, playouts: int) -> list[End]:
    """Those of one match."""
    me, names = number % 2, ["counter", "counter"]
    names[me] = f"searcher:playouts={playouts}"
    bots = [compiled_code.quick(PISTI, PISTI.bot(name)) for name in names]
    decks, rng = generator(1, "decks", number // 2), generator(1, "bots", number)
    match, options = MatchInPlay(PISTI, bots, seeded(decks), rng), PISTI.options()
    match.begin(options, [PISTI.complete_setup(options, Setup(bot.slug)) for bot in bots])
    ends, deal = list[End](), list[PistiWorld]()

    def look() -> bool:
        state = match.state
        if deal and (state.over or state.plays_made == 0):
            ends.extend(end_of(world, me, state.totals) for world in deal)
            deal.clear()
        elif state.plays_made and state.plays_made % BLOCK == 0:
            deal.append(laid_out(state, names))
        return False

    match.play(look)
    return ends


def end_of(world: PistiWorld, me: int, totals: tuple[int, ...]) -> End:
    """``totals`` are those after the deal."""
    other, starts = 1 - me, world.turn == me
    tables = points_to_come(world)
    there = [world.totals[seat] + world.points[seat] + world.bonus[seat] for seat in (0, 1)]
    came = totals[me] - totals[other] - there[me] + there[other]
    block = world.plays // BLOCK
    return End(block, starts, tables if starts else -tables, estimated(world, me, other), came)


def squares(ends: list[End], foreseen: str) -> list[float]:
    """Of the errors, their means taken out."""
    kinds = defaultdict[tuple[int, bool], list[float]](list)
    for end in ends:
        kinds[end.block, end.starts].append(end.came - getattr(end, foreseen))
    means = {kind: fmean(errors) for kind, errors in kinds.items()}
    return [(end.came - getattr(end, foreseen) - means[end.block, end.starts]) ** 2 for end in ends]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=1200)
    parser.add_argument("--playouts", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    compiled_code.warm_searches(PISTI.slug)
    play = partial(ends_of, playouts=given.playouts)
    with ProcessPoolExecutor(given.jobs) as processes:
        matches = list(processes.map(play, range(given.matches), chunksize=4))
    ends = [end for each in matches for end in each]
    tables, formula = squares(ends, "tables"), squares(ends, "formula")
    nearer = [worse - better for worse, better in zip(formula, tables, strict=True)]
    sums, at = list[float](), 0
    for each in matches:
        sums.append(sum(nearer[at : at + len(each)]))
        at += len(each)
    reach = Z95 * stdev(sums) * sqrt(len(sums)) / len(ends)
    print(f"{len(ends):,} ends of blocks: mean squares {fmean(tables):.2f}, {fmean(formula):.2f}")
    print(f"the tables come nearer by {fmean(nearer):.2f} ± {reach:.2f}")


if __name__ == "__main__":
    main()
