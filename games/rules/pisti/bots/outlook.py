"""What the end of a four-card block is worth: the chance to win the match from there.

The constants are fitted to deals of the quick counter against itself: what the seat that starts the
next block makes of the pile, how far a lead in cards goes towards the majority, and the chance to
win a match from every score, as it follows from the points of 150,000 deals.
"""

from math import erf, sqrt, tanh
from typing import Final

from games.rules.pisti.bots.world import NO_TARGET, PistiWorld
from games.rules.pisti.predicates import PLAYS_PER_DEAL

SPREAD: Final = 20.0  # of the difference between two sides that one deal makes
DEAL_POINTS: Final = 13.4  # of one side
PACE: Final = 12.0  # points by which a deal brings the leading side nearer to the target
LAST_DEAL: Final = 0.8  # deals that are played once the leading side is there
MAJORITY: Final = 0.75  # of the majority's points are foreseen by the lead in cards
CARDS_SPREAD: Final = 3.0


def chance_to_win(world: PistiWorld, side: int) -> float:
    """The chance that ``side`` wins the match."""
    left, target = PLAYS_PER_DEAL - world.plays, world.target
    lead = ahead(world.totals, world.sides, side) + margin(world, side, left)
    best, leaders, highest = -1, 0, 0
    for each in range(world.sides):
        total = world.totals[each] + world.points[each]
        highest = max(highest, total + world.bonus[each])
        if total > best:
            best, leaders = total, 1
        elif total == best:
            leaders += 1
    if left or target == NO_TARGET:
        share = left / PLAYS_PER_DEAL
        return wins(lead, share + deals_after(highest + DEAL_POINTS * share, target))
    if best >= target and leaders == 1:
        return 1.0 if world.totals[side] + world.points[side] == best else 0.0
    return wins(lead, deals_after(float(best), target))


def wins(lead: float, deals: float) -> float:
    if deals == 0.0:
        return 0.5 + 0.5 * ((1 if lead > 0 else 0) - (1 if lead < 0 else 0))
    return 0.5 + 0.5 * tanh(lead / (SPREAD * sqrt(deals)))


def deals_after(highest: float, target: int) -> float:
    """About how many deals follow this one."""
    if target == NO_TARGET:
        return 0.0
    return max(0.0, (target - highest) / PACE + LAST_DEAL)


def ahead(of_side: list[int], sides: int, side: int) -> float:
    """How far a side is in front of the others' mean."""
    total = 0
    for each in range(sides):
        total += of_side[each]
    own = of_side[side]
    return own - (total - own) / (sides - 1)


def margin(world: PistiWorld, side: int, left: int) -> float:
    """The points that a side is in front, those to come from this position included."""
    sides = world.sides
    if left == 0:
        return ahead(world.points, sides, side)
    lead = ahead(world.points, sides, side) + ahead(world.bonus, sides, side)
    cards = ahead(world.cards, sides, side) / (CARDS_SPREAD * sqrt(left + 1))
    starting = 1.0 if world.turn % sides == side else -1 / (sides - 1)
    return lead + MAJORITY * world.majority * erf(cards) + starting * to_start(world, left)


def to_start(world: PistiWorld, left: int) -> float:
    """What it is worth to play first on the pile that lies there."""
    if not world.pile_size:
        return -1.1 - 0.05 * left
    matching = 4 - world.seen[world.top]
    if world.pile_size == 1:
        return 2.5 - 0.17 * left + 2.2 * matching + 0.3 * world.pile_points
    return (world.pile_points + world.pile_size / 9) * (0.12 + 0.14 * matching) - 0.9
