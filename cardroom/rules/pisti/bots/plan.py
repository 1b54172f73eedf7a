"""What the seat that searches plays next, later in the block: a tree that grows with each playout.

A node is what was played since the choice that is searched, rank by rank (``path``). In it each
card is tried, and the better it turned out the more often (UCB1: Auer, Cesa-Bianchi and Fischer
2002).
"""

from collections.abc import Sequence
from math import log, sqrt
from typing import Final, NamedTuple

from cardroom.rules.pisti.bots.quick_counter import counters_place
from cardroom.rules.pisti.bots.world import HAND, RANKS, RANKS_OF, PistiWorld

EXPLORE: Final = 0.1  # of the chance to win: how much rarely tried cards are favoured
EXACT_EXPLORE: Final = 0.03  # where the counter is foreseen to the last rule
UNUSED: Final = 0  # no path: a path has four bits for each card played
MOST_CHOSEN: Final = 3  # of a block, the card that is searched and the last one left aside
NODES_A_PLAYOUT: Final = 2  # at most


class Plan(NamedTuple):
    """The tree of one search, a table of open addressing, and the nodes passed in this playout.

    ``paths`` has a place a node; ``tries`` and ``gains`` have ``HAND`` slots a node, one for each
    rank of the hand (``ranks`` says which): how often it was played here and what that was worth in
    all. ``passed`` are such slots.
    """

    ranks: list[int]
    paths: list[int]
    tries: list[int]
    gains: list[float]
    passed: list[int]


def rows(playouts: int) -> int:
    """Of a table with more places than the search can have nodes: it is never full."""
    return 1 << (NODES_A_PLAYOUT * playouts).bit_length()


def empty_plan(playouts: int, hand: Sequence[int]) -> Plan:
    """For the hand of the seat that searches."""
    size = rows(playouts)
    tries, gains = [0] * (size * HAND), [0.0] * (size * HAND)
    return Plan(ranks_of(hand), [UNUSED] * size, tries, gains, [0] * MOST_CHOSEN)


def ranks_of(hand: Sequence[int]) -> list[int]:
    """By rank, which one of the hand it is, from 0 on; 0 for those that it does not hold."""
    ranks = [0] * RANKS
    for nth, rank in enumerate(sorted({RANKS_OF[card] for card in hand})):
        ranks[rank] = nth
    return ranks


def slot_of(plan: Plan, row: int, card: int) -> int:
    """Where the node in this row counts the rank of the card."""
    return HAND * row + plan.ranks[RANKS_OF[card]]


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
    hand, cards = world.hands[world.turn], world.sizes[world.turn]
    total = 0
    for at in range(cards):
        tried = plan.tries[slot_of(plan, row, hand[at])]
        if tried == 0:
            return at
        total += tried
    explore = EXACT_EXPLORE if world.exact else EXPLORE
    spread = log(total)
    best, highest = 0, -1.0
    for at in range(cards):
        slot = slot_of(plan, row, hand[at])
        tried = plan.tries[slot]
        promise = plan.gains[slot] / tried + explore * sqrt(spread / tried)
        if promise > highest:
            best, highest = at, promise
    return best


def learn(plan: Plan, passed: int, worth: float) -> None:
    """What the playout came to."""
    for nth in range(passed):
        plan.tries[plan.passed[nth]] += 1
        plan.gains[plan.passed[nth]] += worth
