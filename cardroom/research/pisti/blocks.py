"""Learn how many points are to come from the end of a block on, for Pişti's ``searcher``.

    python -m cardroom.research.pisti.blocks --kind two_seats --deals 40000000 --jobs 2

plays deals of the quick counter against itself and counts, position by position, how the rest of
each deal came out. A position is what the two tables of
``cardroom.rules.pisti.bots.outlook`` go by, of one side of the match. Those whose sums come
nearest to what was counted are written where the bot reads them, or to the folder ``--out``. The
same seed gives the same file with any ``--jobs``. Without ``--kind`` the tables
of all kinds of matches are learned.
"""

import argparse
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy

from cardroom.arena.request import Part, run_parts
from cardroom.arena.series import generator
from cardroom.fast.binding import bound, drawing_from, float_zeros, int_zeros, ints, records
from cardroom.rules import values
from cardroom.rules.cards import JACK
from cardroom.rules.pisti.bots.belief import models_place
from cardroom.rules.pisti.bots.outlook import (
    A_SIZE,
    FOLDER,
    JACKS,
    KINDS,
    LEADS,
    MATCHING,
    POINTS,
    SCALE,
    Kind,
    entered,
    lead_entry,
    pile_entry,
    place_of_size,
)
from cardroom.rules.pisti.bots.world import HAND, RANKS_OF, PistiWorld, empty_world, finish, put
from cardroom.rules.pisti.bots.world import POINTS as WORTHS
from cardroom.rules.pisti.predicates import PACK, PLAYS_PER_DEAL
from cardroom.rules.pisti.state import CENTRE_SIZE
from cardroom.rules.search import copy_into, shuffle
from cardroom.rules.shuffles import Stream

DEALS: Final = 40_000_000
LEAST_DEALS: Final = 1000
A_PART: Final = 500_000  # deals that a process plays before it hands over what it counted
ROUNDS: Final = 12
DOUBT: Final = 20  # a step of the fit goes by so many positions less than were met

# The axes of a position behind its size (``Kind.sizes``), and those that each step of the fit adds
# up; finer steps come last.
AXES: Final = (LEADS, MATCHING, POINTS, JACKS)
LEAD, MATCH, VALUE, JACKS_LEFT = 1, 2, 3, 4
OF_LEADS: Final = (MATCH, VALUE, JACKS_LEFT)
OF_PILES: Final = ((LEAD, JACKS_LEFT), (LEAD, MATCH, VALUE), (LEAD, VALUE), (LEAD,))


class Counted(NamedTuple):
    """By position, flat: how often it was met, and the points that followed, all added up, of a
    side less the mean of the others."""

    met: Any
    points: Any


class Tables(NamedTuple):
    """In points, of the shape of a kind with one for each axis that a table does not tell apart."""

    piles: Any
    leads: Any


def play_deals(
    rng: Random,
    deals: int,
    worlds: list[PistiWorld],
    cards: list[int],
    passed: list[int],
    ahead: list[float],
    met: list[int],
    points: list[float],
) -> None:
    """Counts the ends of blocks. ``worlds`` are one before the first card and room for another,
    ``passed`` is room for the ends of a deal, side by side, ``ahead`` for the points there."""
    for _ in range(deals):
        copy_into(worlds, 1, worlds[0])
        world = worlds[1]
        deal_centre(rng, world, cards)
        dealt, ends = CENTRE_SIZE, 0
        sides = entered(world.sides)
        while world.plays < PLAYS_PER_DEAL:
            for seat in range(world.players):
                for nth in range(HAND):
                    world.hands[seat][nth] = cards[dealt]
                    dealt += 1
                world.sizes[seat] = HAND
                world.refused[seat] = 0
            play_block(world, cards)
            if world.plays < PLAYS_PER_DEAL:
                for side in range(sides):
                    passed[ends] = position_of(world, side)
                    ahead[ends] = points_ahead(world, side)
                    ends += 1
        finish(world)
        for side in range(world.sides):
            world.bonus[side] = 0  # it is part of the points now
        for end in range(ends):
            met[passed[end]] += 1
            points[passed[end]] += points_ahead(world, end % sides) - ahead[end]


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


def position_of(world: PistiWorld, side: int) -> int:
    """Its place in arrays of the shape of the kind, flat."""
    place = place_of_size(world, side)
    return lead_entry(world, place, side) * A_SIZE + pile_entry(world, 0)


def points_ahead(world: PistiWorld, side: int) -> float:
    """Of a side, less the mean of the others."""
    own, others = 0, 0
    for each in range(world.sides):
        if each == side:
            own = world.points[each] + world.bonus[each]
        else:
            others += world.points[each] + world.bonus[each]
    return own - others / (world.sides - 1)


@cache
def compiled() -> Any:
    return bound(play_deals)


def shape_of(kind: Kind) -> tuple[int, ...]:
    return (kind.sizes, *AXES)


def nothing_of(kind: Kind) -> Counted:
    positions = int(numpy.prod(shape_of(kind)))
    return Counted(int_zeros(positions), float_zeros(positions))


def count_part(kind: Kind, seed: int, part: Part) -> Counted:
    rng = Stream(generator(seed, "blocks", part.first).getrandbits(64))
    counted, ends = nothing_of(kind), kind.blocks * kind.sides
    worlds = records(before_the_first_card(kind), PistiWorld)
    cards, passed, ahead = ints(range(len(PACK))), int_zeros(ends), float_zeros(ends)
    with drawing_from(rng) as words:
        compiled()(words, part.games, worlds, cards, passed, ahead, *counted)
    return counted


def before_the_first_card(kind: Kind) -> list[PistiWorld]:
    """A world in which all are counters, and room for one."""
    world = empty_world(kind.options)
    world.exact = 1
    world.counts[:] = [1] * len(world.counts)
    return [world, PistiWorld()]


def count(kind: Kind, seed: int, deals: int, jobs: int) -> Counted:
    """The counts of so many deals, played in parts."""
    parts = [Part(first, min(A_PART, deals - first)) for first in range(0, deals, A_PART)]
    met, points = nothing_of(kind)
    done = 0
    for part, counted in run_parts(partial(count_part, kind, seed), parts, jobs):
        met += counted.met
        points += counted.points
        done += part.games
        print(f"\r{done:>12,} deals", end="", flush=True)  # noqa: T201
    return Counted(met, points)


def fit(kind: Kind, counted: Counted) -> Tables:
    """By turns each step takes what the others leave over, coarse ones first, so that positions
    that were hardly met go by those like them."""
    shape = shape_of(kind)
    met, points = (each.reshape(shape).astype(float) for each in counted)
    piles, leads = numpy.zeros(without(shape, LEAD)), numpy.zeros(without(shape, *OF_LEADS))
    for _ in range(ROUNDS):
        for axes in OF_PILES:
            piles += step(met, points - met * (piles + leads), axes)
        leads += step(met, points - met * (piles + leads), OF_LEADS)
    return Tables(piles, leads)


def step(met: Any, left: Any, axes: tuple[int, ...]) -> Any:
    return left.sum(axes, keepdims=True) / (met.sum(axes, keepdims=True) + DOUBT)


def without(shape: tuple[int, ...], *axes: int) -> tuple[int, ...]:
    return tuple(1 if axis in axes else length for axis, length in enumerate(shape))


def left_over(kind: Kind, counted: Counted, learned: Tables) -> float:
    """By how many points, in the root mean square of all ends of blocks, a position differs from
    what the tables say; as far as it was met at least ``DOUBT`` times."""
    met, points = (each.reshape(shape_of(kind)) for each in counted)
    often = met >= DOUBT
    wrong = points[often] / met[often] - (learned.piles + learned.leads)[often]
    return float(numpy.sqrt((met[often] * wrong**2).sum() / max(1, met[often].sum())))


def packed(learned: Tables) -> bytes:
    """The file of the tables (``points_to_come.Kind.file``)."""
    flat = numpy.concatenate([each.ravel() for each in learned])
    return values.packed((flat * SCALE).tolist())


def main() -> None:
    by_name = {kind.name: kind for kind in KINDS}
    parser = argparse.ArgumentParser(description="Learn the points to come at Pişti.")
    parser.add_argument("--kind", choices=by_name, help="of matches; all")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FOLDER, help="a folder")
    given = parser.parse_args()
    if given.deals < LEAST_DEALS:
        parser.error(f"--deals: at least {LEAST_DEALS}, or there is too little to learn from")
    if not given.out.is_dir():
        parser.error(f"--out: {given.out} is no folder")
    for name in [given.kind] if given.kind else by_name:
        kind, file = by_name[name], given.out / f"{name}.table"
        counted = count(kind, given.seed, given.deals, given.jobs)
        learned = fit(kind, counted)
        file.write_bytes(packed(learned))
        size, wrong = file.stat().st_size, left_over(kind, counted, learned)
        print(f"\n{file}: {size:,} bytes; {wrong:.2f} points are left over")  # noqa: T201


if __name__ == "__main__":
    main()
