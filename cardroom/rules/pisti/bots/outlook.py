"""What the end of a four-card block is worth: the chance to win the match from there.

The constants are fitted to deals of the quick counter against itself: what the seat that starts the
next block makes of the pile, how far a lead in cards goes towards the majority, and the chance to
win a match from every score. Of two sides it follows from the points of 150,000 deals, of three and
four from 300 matches of the counter each. Under the usual points tables say what a deal still
brings (``points_to_come``), in place of the first two.
"""

from math import erf, exp, sqrt, tanh
from typing import Final

from cardroom.rules.pisti.bots.points_to_come import knows, more_to_come
from cardroom.rules.pisti.bots.world import NO_TARGET, PistiWorld
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL

# By the number of sides, from none to four:
SPREAD: Final = (0.0, 0.0, 20.0, 13.0, 12.0)  # of the difference between two that a deal makes
DEAL_POINTS: Final = (0.0, 0.0, 13.4, 8.6, 6.5)  # of one side
PACE: Final = (0.0, 0.0, 12.0, 10.0, 8.0)  # points by which a deal brings the first to the target

LAST_DEAL: Final = 0.8  # deals that are played once the leading side is there
MAJORITY: Final = 0.75  # of the majority's points are foreseen by the lead in cards
CARDS_SPREAD: Final = 3.0
LARGEST_EXPONENT: Final = 300.0


def chance_to_win(world: PistiWorld, side: int) -> float:
    """The chance that ``side`` wins the match; those of all sides add up to about one."""
    left, target, sides = PLAYS_PER_DEAL - world.plays, world.target, world.sides
    best, leaders, highest = -1, 0, 0
    for each in range(sides):
        total = world.totals[each] + world.points[each]
        if total + world.bonus[each] > highest:
            highest = total + world.bonus[each]
        if total > best:
            best, leaders = total, 1
        elif total == best:
            leaders += 1
    if left:
        share = left / PLAYS_PER_DEAL
        after = deals_after(highest + DEAL_POINTS[sides] * share, sides, target)
        return wins(world, side, share + after)
    if target == NO_TARGET or (best >= target and leaders == 1):
        is_first = world.totals[side] + world.points[side] == best
        return 1.0 / leaders if is_first else 0.0
    return wins(world, side, max(LAST_DEAL, deals_after(float(best), sides, target)))


def wins(world: PistiWorld, side: int, deals: float) -> float:
    """Logistic in the points to each of the others: the odds of being behind them add up."""
    behind, spread = 0.0, SPREAD[world.sides] * sqrt(deals)
    if world.sides == 2:  # the same, in fewer steps
        return 0.5 + 0.5 * tanh(lead(world, side, 1 - side) / spread)
    for other in range(world.sides):
        if other != side:
            behind += exp(min(-2 * lead(world, side, other) / spread, LARGEST_EXPONENT))
    return 1 / (1 + behind)


def deals_after(highest: float, sides: int, target: int) -> float:
    """About how many deals follow this one."""
    if target == NO_TARGET:
        return 0.0
    return max(0.0, (target - highest) / PACE[sides] + LAST_DEAL)


def lead(world: PistiWorld, side: int, other: int) -> float:
    """The points that a side is in front of another, those to come from this position included."""
    left = PLAYS_PER_DEAL - world.plays
    before = world.totals[side] - world.totals[other]
    points = world.points[side] - world.points[other]
    if left == 0:
        return float(before + points)
    bonus = world.bonus[side] - world.bonus[other]
    if knows(world):
        return before + points + bonus + more_to_come(world, side, other)
    return before + points + bonus + estimated(world, side, other)


def estimated(world: PistiWorld, side: int, other: int) -> float:
    """The points to come, where no table tells them."""
    left = PLAYS_PER_DEAL - world.plays
    cards = (world.cards[side] - world.cards[other]) / (CARDS_SPREAD * sqrt(left + 1))
    to_play = world.turn % world.sides
    starting = 1.0 if to_play == side else -1.0 if to_play == other else 0.0
    return MAJORITY * world.majority * erf(cards) + starting * to_start(world, left)


def to_start(world: PistiWorld, left: int) -> float:
    """What it is worth to play first on the pile that lies there."""
    if not world.pile_size:
        return -1.1 - 0.05 * left
    matching = 4 - world.seen[world.top]
    if world.pile_size == 1:
        return 2.5 - 0.17 * left + 2.2 * matching + 0.3 * world.pile_points
    return (world.pile_points + world.pile_size / 9) * (0.12 + 0.14 * matching) - 0.9
