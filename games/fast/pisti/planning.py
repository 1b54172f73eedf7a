"""The tree of ``searcher`` compiled: ``games.rules.pisti.bots.plan`` in a table of open addressing.

A row of ``keys``, ``tries`` and ``gains`` is a node; the key is its path.
"""

from math import log, sqrt
from typing import Any, Final

from games.fast.compiling import inner
from games.fast.pisti.weighing import counters_place, greedys_place
from games.fast.pisti.worlds import (
    COUNTS,
    HAND,
    HANDS,
    ME,
    RANKS,
    SIZES,
    TURN,
    put,
)
from games.rules.pisti.bots.plan import EXPLORE

UNUSED: Final = -1
MOST_CHOSEN: Final = 3  # of a block, the card that is searched and the last one left aside


@inner
def node_of(keys: Any, path: int) -> int:
    """The row of the node for this path, or the free row where it belongs, as ``-1 - row``."""
    mask = len(keys) - 1
    row = (((path ^ (path >> 17)) & 0xFFFFFFF) * 40503 >> 7) & mask
    while keys[row] != path:
        if keys[row] == UNUSED:
            return -1 - row
        row = (row + 1) & mask
    return row


@inner
def open_node(keys: Any, tries: Any, gains: Any, row: int, path: int) -> None:
    keys[row] = path
    for rank in range(RANKS):
        tries[row, rank] = 0
        gains[row, rank] = 0.0


@inner
def most_promising(world: Any, tries: Any, gains: Any, row: int) -> int:
    """``plan.Node.best``: the place in the hand."""
    hand, cards = HANDS + HAND * world[TURN], world[SIZES + world[TURN]]
    total = 0
    for at in range(cards):
        tried = tries[row, world[hand + at] % RANKS]
        if tried == 0:
            return at
        total += tried
    spread = log(float(total))
    best, highest = 0, -1.0
    for at in range(cards):
        rank = world[hand + at] % RANKS
        tried = tries[row, rank]
        promise = gains[row, rank] / tried + EXPLORE * sqrt(spread / tried)
        if promise > highest:
            best, highest = at, promise
    return best


@inner
def play_block(
    world: Any, setting: Any, worths: Any, keys: Any, tries: Any, gains: Any, chosen: Any,
    path: int,
) -> int:  # fmt: skip
    """``Belief.playout``: how many nodes of the plan were passed, which are in ``chosen``."""
    passed, me = 0, setting[ME]
    while world[SIZES + world[TURN]]:
        seat = world[TURN]
        hand, cards = HANDS + HAND * seat, world[SIZES + seat]
        at, row = 0, UNUSED
        planned, counts = cards > 1 and seat == me, cards > 1 and world[COUNTS + seat] == 1
        if planned:
            row = node_of(keys, path)
            counts = row < 0
            if counts:
                row = -1 - row
                open_node(keys, tries, gains, row, path)
            else:
                at = most_promising(world, tries, gains, row)
        elif cards > 1 and not counts:
            at = greedys_place(world)
        if counts:
            at = counters_place(world, setting, worths)
        rank = world[hand + at] % RANKS
        if planned:
            chosen[passed, 0], chosen[passed, 1] = row, rank
            passed += 1
        path = (path << 4) | (rank + 1)
        put(world, setting, at)
    return passed
