"""A world of ``searcher`` compiled: ``games.rules.pisti.bots.world`` on an array of whole numbers.

These arrays are for searches only; the kernel keeps whole matches as ``layout`` says.
"""

from typing import Any, Final

import numpy

from games.fast.compiling import inner
from games.rules.cards import JACK
from games.rules.pisti.bots.world import EMPTY, POINTS
from games.rules.pisti.predicates import PLAYS_PER_DEAL

# The facts of a world. From SIZES on an entry a seat, from HEAPS on an entry a side.
TOP, PILE, PILE_POINTS, TURN, PLAYS, LAST = range(6)
SEATS: Final = 4
SIZES, REFUSED, COUNTS = 6, 10, 14
HEAPS, CARD_POINTS, BONUS = 18, 22, 26
SEEN: Final = 30
HANDS: Final = 43  # four places a seat
HAND: Final = 4
RANKS: Final = 13
WORLD: Final = HANDS + SEATS * HAND

# What does not change in a search.
PLAYERS, SIDES, SINGLE, DOUBLE, MAJORITY, LAST_COUNTS, ME, TARGET, TOTALS = range(9)
SETTING: Final = TOTALS + SEATS
NO_TARGET: Final = -1

POINTS_OF: Final = numpy.array(POINTS, dtype=numpy.int64)


@inner
def put(world: Any, setting: Any, at: int) -> None:
    """``World.put`` of the card at this place of the hand of the seat to play."""
    seat, size = world[TURN], world[PILE]
    hand = HANDS + HAND * seat
    card = world[hand + at]
    left = world[SIZES + seat] - 1
    for place in range(at, left):
        world[hand + place] = world[hand + place + 1]
    world[SIZES + seat] = left
    rank = card % RANKS
    world[SEEN + rank] += 1
    world[PLAYS] += 1
    world[TURN] = seat + 1 if seat + 1 < setting[PLAYERS] else 0
    if size and rank in (world[TOP], JACK):
        side = seat % setting[SIDES]
        world[HEAPS + side] += size + 1
        world[CARD_POINTS + side] += world[PILE_POINTS] + POINTS_OF[card]
        scores = world[PLAYS] < PLAYS_PER_DEAL or setting[LAST_COUNTS]
        if size == 1 and rank == world[TOP] and scores:
            world[BONUS + side] += setting[DOUBLE] if rank == JACK else setting[SINGLE]
        world[LAST] = seat
        world[PILE] = world[PILE_POINTS] = 0
        world[TOP] = EMPTY
    else:
        if size:
            world[REFUSED + seat] |= 1 << world[TOP]
        world[PILE] = size + 1
        world[PILE_POINTS] += POINTS_OF[card]
        world[TOP] = rank


@inner
def finish(world: Any, setting: Any) -> None:
    """``World.finish``."""
    sides = setting[SIDES]
    if world[LAST] >= 0:
        side = world[LAST] % sides
        world[HEAPS + side] += world[PILE]
        world[CARD_POINTS + side] += world[PILE_POINTS]
    world[PILE] = world[PILE_POINTS] = 0
    most, holder, holders = 0, 0, 0
    for side in range(sides):
        if world[HEAPS + side] > most:
            most, holder, holders = world[HEAPS + side], side, 1
        elif world[HEAPS + side] == most:
            holders += 1
    if holders == 1:
        world[CARD_POINTS + holder] += setting[MAJORITY]
    for side in range(sides):
        world[CARD_POINTS + side] += world[BONUS + side]
