"""Learn how many points are to come from the end of a block on, for Pişti's ``searcher``.

    python -m games.research.pisti.blocks --deals 40000000 --jobs 2

plays deals of the quick counter against itself and counts, position by position, how the rest of
each deal came out. A position is what the two tables of ``games.rules.pisti.bots.points_to_come``
go by. Those whose sums come nearest to what was counted are written where the bot reads them, or to
``--out``. The same seed gives the same file with any ``--jobs``.
"""

import argparse
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy

from games.arena.process_pool import run_parts
from games.arena.request import Part
from games.arena.series import generator
from games.fast.binding import bound, int_zeros, ints, records
from games.fast.searching import drawing_from
from games.rules import tables
from games.rules.cards import JACK
from games.rules.flat import copy_into, shuffle
from games.rules.pisti.bots import points_to_come
from games.rules.pisti.bots.models import models_place
from games.rules.pisti.bots.points_to_come import (
    BLOCKS,
    JACKS,
    LEADS,
    MATCHING,
    OPTIONS,
    POINTS,
    SCALE,
    SIZES,
    lead_entry,
    pile_entry,
    place_of_size,
)
from games.rules.pisti.bots.world import (
    HAND,
    RANKS_OF,
    PistiWorld,
    empty_world,
    finish,
    put,
)
from games.rules.pisti.bots.world import POINTS as WORTHS
from games.rules.pisti.deal import CENTRE_SIZE
from games.rules.pisti.predicates import PACK
from games.rules.stream import Stream

DEALS: Final = 40_000_000
LEAST_DEALS: Final = 1000
A_PART: Final = 500_000  # deals that a process plays before it hands over what it counted
ROUNDS: Final = 12
DOUBT: Final = 20  # a step of the fit goes by so many positions less than were met

# The axes of a position, and those that each step of the fit adds up; finer steps come last.
SHAPE: Final = (BLOCKS * SIZES, LEADS, MATCHING, POINTS, JACKS)
A_LEAD: Final = MATCHING * POINTS * JACKS
LEAD, MATCH, VALUE, JACKS_LEFT = 1, 2, 3, 4
OF_LEADS: Final = (MATCH, VALUE, JACKS_LEFT)
OF_PILES: Final = ((LEAD, JACKS_LEFT), (LEAD, MATCH, VALUE), (LEAD, VALUE), (LEAD,))


class Counted(NamedTuple):
    """By position, flat: how often it was met, and the points that followed, all added up, of the
    seat to play less those of the other."""

    met: Any
    points: Any


class Tables(NamedTuple):
    """In points, of shapes ``SHAPE`` with one for each axis that a table does not tell apart."""

    piles: Any
    leads: Any


def play_deals(
    rng: Random,
    deals: int,
    worlds: list[PistiWorld],
    cards: list[int],
    passed: list[int],
    met: list[int],
    points: list[int],
) -> None:
    """Counts the ends of blocks. ``worlds`` are one before the first card and room for another,
    ``passed`` is room for the ends of a deal and the leads in points there."""
    for _ in range(deals):
        copy_into(worlds, 1, worlds[0])
        world = worlds[1]
        deal_centre(rng, world, cards)
        dealt = CENTRE_SIZE
        for block in range(BLOCKS + 1):
            for seat in range(world.players):
                for nth in range(HAND):
                    world.hands[seat][nth] = cards[dealt]
                    dealt += 1
                world.sizes[seat] = HAND
                world.refused[seat] = 0
            play_block(world, cards)
            if block < BLOCKS:
                passed[block] = position_of(world)
                passed[BLOCKS + block] = lead_in_points(world)
        finish(world)
        for block in range(BLOCKS):
            met[passed[block]] += 1
            points[passed[block]] += world.points[0] - world.points[1] - passed[BLOCKS + block]


def deal_centre(rng: Random, world: PistiWorld, cards: list[int]) -> None:
    """From cards that are shuffled until the top is no jack (R7, R8)."""
    shuffle(rng, cards, len(cards))
    while RANKS_OF[cards[CENTRE_SIZE - 1]] == JACK:
        shuffle(rng, cards, len(cards))
    world.top = RANKS_OF[cards[CENTRE_SIZE - 1]]
    world.seen[world.top] += 1
    world.pile_size = CENTRE_SIZE
    for at in range(CENTRE_SIZE):
        world.pile_points += WORTHS[cards[at]]


def play_block(world: PistiWorld, cards: list[int]) -> None:
    """The cards below the first top count as seen by both as soon as one has taken them."""
    while world.sizes[world.turn]:
        is_first = world.last < 0
        put(world, models_place(world))
        if is_first and world.last >= 0:
            for at in range(CENTRE_SIZE - 1):
                world.seen[RANKS_OF[cards[at]]] += 1


def position_of(world: PistiWorld) -> int:
    """Its place in arrays of ``SHAPE``, flat."""
    return lead_entry(world, place_of_size(world)) * A_LEAD + pile_entry(world, 0)


def lead_in_points(world: PistiWorld) -> int:
    """Of the seat that starts each block, 0, before the deal is over."""
    return world.points[0] + world.bonus[0] - world.points[1] - world.bonus[1]


@cache
def compiled() -> Any:
    return bound(play_deals)


def count_part(seed: int, part: Part) -> Counted:
    rng = Stream(generator(seed, "blocks", part.first).getrandbits(64))
    met, points = (int_zeros(int(numpy.prod(SHAPE))) for _ in range(2))
    worlds, cards = records(before_the_first_card(), PistiWorld), ints(range(len(PACK)))
    with drawing_from(rng) as words:
        compiled()(words, part.games, worlds, cards, int_zeros(2 * BLOCKS), met, points)
    return Counted(met, points)


def before_the_first_card() -> list[PistiWorld]:
    """A world in which both are counters, and room for one."""
    world = empty_world(OPTIONS)
    world.exact = 1
    world.counts[:] = [1] * len(world.counts)
    return [world, PistiWorld()]


def count(seed: int, deals: int, jobs: int) -> Counted:
    """What so many deals came to."""
    parts = [Part(first, min(A_PART, deals - first)) for first in range(0, deals, A_PART)]
    met, points = (int_zeros(int(numpy.prod(SHAPE))) for _ in range(2))
    done = 0
    for part, counted in run_parts(partial(count_part, seed), parts, jobs):
        met += counted.met
        points += counted.points
        done += part.games
        print(f"\r{done:>12,} deals", end="", flush=True)  # noqa: T201
    return Counted(met, points)


def fit(counted: Counted) -> Tables:
    """By turns each step takes what the others leave over, coarse ones first, so that positions
    that were hardly met go by those like them."""
    met, points = (each.reshape(SHAPE).astype(float) for each in counted)
    piles, leads = numpy.zeros(shape_without(LEAD)), numpy.zeros(shape_without(*OF_LEADS))
    for _ in range(ROUNDS):
        for axes in OF_PILES:
            piles += step(met, points - met * (piles + leads), axes)
        leads += step(met, points - met * (piles + leads), OF_LEADS)
    return Tables(piles, leads)


def step(met: Any, left: Any, axes: tuple[int, ...]) -> Any:
    return left.sum(axes, keepdims=True) / (met.sum(axes, keepdims=True) + DOUBT)


def shape_without(*axes: int) -> tuple[int, ...]:
    return tuple(1 if axis in axes else length for axis, length in enumerate(SHAPE))


def left_over(counted: Counted, learned: Tables) -> float:
    """By how many points, in the root mean square of all ends of blocks, a position differs from
    what the tables say; as far as it was met at least ``DOUBT`` times."""
    met, points = (each.reshape(SHAPE) for each in counted)
    often = met >= DOUBT
    wrong = points[often] / met[often] - (learned.piles + learned.leads)[often]
    return float(numpy.sqrt((met[often] * wrong**2).sum() / max(1, met[often].sum())))


def packed(learned: Tables) -> bytes:
    """The file of the tables (``points_to_come.FILE``)."""
    flat = numpy.concatenate([each.ravel() for each in learned])
    return tables.packed((flat * SCALE).tolist())


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn the points to come at Pişti.")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=points_to_come.FILE)
    given = parser.parse_args()
    if given.deals < LEAST_DEALS:
        parser.error(f"--deals: at least {LEAST_DEALS}, or there is too little to learn from")
    counted = count(given.seed, given.deals, given.jobs)
    learned = fit(counted)
    given.out.write_bytes(packed(learned))
    size, wrong = given.out.stat().st_size, left_over(counted, learned)
    print(f"\n{given.out}: {size:,} bytes; {wrong:.2f} points are left over")  # noqa: T201


if __name__ == "__main__":
    main()
