"""How near the searcher of Pişti comes to the points that follow the end of a block.

    python -m tests.strength.foresight --matches 1200 --jobs 2

plays matches of `searcher` against `counter`, each deal from every seat, or those of another kind
(`--kind three_seats`). At the end of each block but the last one of a deal the tables
(``points_to_come``) and the formula that is used where there are none (``outlook.estimated``) say
how many points more than the mean of the others the searcher will make; the end of the deal says
what came. Mean errors by block and by how far it is to the searcher's turn do not count, for they
are the same for each choice. The last line says how much nearer the tables come: the difference of
the mean squares.
"""

import argparse
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from cardroom.arena import compiled_code
from cardroom.arena.statistics import Z95
from cardroom.rules import catalog
from cardroom.rules.pisti.bots.outlook import KINDS, Kind, estimated, more_to_come
from cardroom.rules.pisti.bots.world import HAND, PistiWorld
from cardroom.rules.pisti.coaching import laid_out
from cardroom.rules.pisti.options import side_count
from tests.strength.matches import begun

PISTI = catalog.find("pisti")


class End(NamedTuple):
    """Of a block, as the searcher sees it: its number, how many sides play before the searcher's,
    what tables and formula foresee, and what came."""

    block: int
    before: int
    tables: float
    formula: float
    came: float


def ends_of(number: int, playouts: int, kind: Kind = KINDS[0]) -> list[End]:
    """Those of one match."""
    sides, players = side_count(kind.options), kind.options.players
    me, searcher = number % sides, f"searcher:playouts={playouts}"
    names = [searcher if seat % sides == me else "counter" for seat in range(players)]
    bots = [compiled_code.quick(PISTI, PISTI.bot(name)) for name in names]
    match = begun(PISTI, kind.options, bots, number // sides, number)
    ends, deal = list[End](), list[PistiWorld]()

    def look() -> bool:
        state = match.state
        if deal and (state.over or state.plays_made == 0):
            ends.extend(end_of(world, me, state.totals) for world in deal)
            deal.clear()
        elif state.plays_made and state.plays_made % (HAND * players) == 0:
            deal.append(laid_out(state, names))
        return False

    match.play(look)
    return ends


def end_of(world: PistiWorld, me: int, totals: tuple[int, ...]) -> End:
    """``totals`` are those after the deal."""
    others = [side for side in range(world.sides) if side != me]
    came = [
        totals[side] - world.totals[side] - world.points[side] - world.bonus[side]
        for side in range(world.sides)
    ]
    return End(
        block=world.plays // (HAND * world.players),
        before=(me - world.turn) % world.sides,
        tables=fmean(more_to_come(world, me, other) for other in others),
        formula=fmean(estimated(world, me, other) for other in others),
        came=came[me] - fmean(came[other] for other in others),
    )


def squares(ends: list[End], foreseen: str) -> list[float]:
    """Of the errors, their means taken out."""
    kinds = defaultdict[tuple[int, int], list[float]](list)
    for end in ends:
        kinds[end.block, end.before].append(end.came - getattr(end, foreseen))
    means = {kind: fmean(errors) for kind, errors in kinds.items()}
    return [(end.came - getattr(end, foreseen) - means[end.block, end.before]) ** 2 for end in ends]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=1200)
    parser.add_argument("--playouts", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--kind", choices=[kind.name for kind in KINDS], default=KINDS[0].name)
    given = parser.parse_args()
    (kind,) = (each for each in KINDS if each.name == given.kind)
    compiled_code.warm_searches(PISTI.slug)
    play = partial(ends_of, playouts=given.playouts, kind=kind)
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
