"""What the seat that searches plays next, later in the block: a tree that grows with each playout.

A node is what was played since the choice that is searched, rank by rank (``path``). In it each
card is tried, and the better it turned out the more often (UCB1: Auer, Cesa-Bianchi and Fischer
2002).
"""

from math import log, sqrt
from typing import Final, NamedTuple

from games.rules.pisti.bots.quick_counter import counters_place
from games.rules.pisti.bots.world import RANKS, RANKS_OF, PistiWorld

EXPLORE: Final = 0.1  # of the chance to win: how much rarely tried cards are favoured
EXACT_EXPLORE: Final = 0.03  # where the counter is foreseen to the last rule
UNUSED: Final = 0  # no path: a path has four bits for each card played
MOST_CHOSEN: Final = 3  # of a block, the card that is searched and the last one left aside
NODES_A_PLAYOUT: Final = 2  # at most


class Plan(NamedTuple):
    """The tree of one search, a table of open addressing, and the nodes passed in this playout.

    ``paths`` has a place a node; ``tries`` and ``gains`` a place for each rank of each node: how
    often it was played here and what that was worth in all. ``passed`` are places in these.
    """

    paths: list[int]
    tries: list[int]
    gains: list[float]
    passed: list[int]


def rows(playouts: int) -> int:
    """Of a table twice as large as its nodes can be many."""
    return 1 << (2 * NODES_A_PLAYOUT * playouts).bit_length()


def empty_plan(playouts: int) -> Plan:
    size = rows(playouts)
    return Plan([UNUSED] * size, [0] * (size * RANKS), [0.0] * (size * RANKS), [0] * MOST_CHOSEN)


def after_card(path: int, rank: int) -> int:
    return (path << 4) | (rank + 1)


def row_of(plan: Plan, path: int) -> int:
    """The row of this node, or the free one where it belongs."""
    paths = plan.paths
    mask = len(paths) - 1
    row = (((path ^ (path >> 17)) & 0xFFFFFFF) * 40503 >> 7) & mask
    while paths[row] != path and paths[row] != UNUSED:
        row = (row + 1) & mask
    return row


def planned_place(world: PistiWorld, plan: Plan, path: int) -> int:
    """The place of the card that the seat to play puts down; in a new node it is the counter's."""
    row = row_of(plan, path)
    if plan.paths[row] == UNUSED:
        plan.paths[row] = path
        return counters_place(world)
    return most_promising(world, plan, row)


def most_promising(world: PistiWorld, plan: Plan, row: int) -> int:
    """The first card not tried yet, else the most promising one."""
    hand, cards, first = world.hands[world.turn], world.sizes[world.turn], RANKS * row
    total = 0
    for at in range(cards):
        tried = plan.tries[first + RANKS_OF[hand[at]]]
        if tried == 0:
            return at
        total += tried
    explore = EXACT_EXPLORE if world.exact else EXPLORE
    spread = log(total)
    best, highest = 0, -1.0
    for at in range(cards):
        place = first + RANKS_OF[hand[at]]
        tried = plan.tries[place]
        promise = plan.gains[place] / tried + explore * sqrt(spread / tried)
        if promise > highest:
            best, highest = at, promise
    return best


def learn(plan: Plan, passed: int, worth: float) -> None:
    """What the playout came to."""
    for nth in range(passed):
        plan.tries[plan.passed[nth]] += 1
        plan.gains[plan.passed[nth]] += worth
