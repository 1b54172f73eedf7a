"""What the end of a four-card block is worth: the chance to win the match from there.

The constants are fitted to deals of the quick counter against itself: what the seat that starts the
next block makes of the pile, how far a lead in cards goes towards the majority, and the chance to
win a match from every score, as it follows from the points of 150,000 deals.
"""

from math import erf, sqrt, tanh
from typing import Final

from games.rules.pisti.bots.world import World
from games.rules.pisti.predicates import PLAYS_PER_DEAL, is_decided

SPREAD: Final = 20.0  # of the difference between two sides that one deal makes
DEAL_POINTS: Final = 13.4  # of one side
PACE: Final = 12.0  # points by which a deal brings the leading side nearer to the target
LAST_DEAL: Final = 0.8  # deals that are played once the leading side is there
MAJORITY: Final = 0.75  # of the majority's points are foreseen by the lead in cards
CARDS_SPREAD: Final = 3.0


def chance(world: World, side: int, target: int | None) -> float:
    """The chance that ``side`` wins the match."""
    left = PLAYS_PER_DEAL - world.plays
    lead = _ahead(world.totals, side) + _margin(world, side, left)
    totals = [total + points for total, points in zip(world.totals, world.points, strict=True)]
    if left or target is None:
        share = left / PLAYS_PER_DEAL
        highest = max([total + won for total, won in zip(totals, world.bonus, strict=True)])
        return _wins(lead, share + _deals_after(highest + DEAL_POINTS * share, target))
    if is_decided(totals, target):
        return float(totals[side] == max(totals))
    return _wins(lead, _deals_after(max(totals), target))


def _wins(lead: float, deals: float) -> float:
    if not deals:
        return 0.5 + 0.5 * ((lead > 0) - (lead < 0))
    return 0.5 + 0.5 * tanh(lead / (SPREAD * sqrt(deals)))


def _deals_after(highest: float, target: int | None) -> float:
    """About how many deals follow this one."""
    return 0.0 if target is None else max(0.0, (target - highest) / PACE + LAST_DEAL)


def _ahead(of_side: list[int], side: int) -> float:
    """How far a side is in front of the others' mean."""
    own = of_side[side]
    return own - (sum(of_side) - own) / (len(of_side) - 1)


def _margin(world: World, side: int, left: int) -> float:
    """The points that a side is in front, those to come from this position included."""
    if not left:
        return _ahead(world.points, side)
    lead = _ahead(world.points, side) + _ahead(world.bonus, side)
    cards = _ahead(world.cards, side) / (CARDS_SPREAD * sqrt(left + 1))
    starting = 1.0 if world.turn % world.sides == side else -1 / (world.sides - 1)
    return lead + MAJORITY * world.majority * erf(cards) + starting * _to_start(world, left)


def _to_start(world: World, left: int) -> float:
    """What it is worth to play first on the pile that lies there."""
    if not world.pile_size:
        return -1.1 - 0.05 * left
    matching = 4 - world.seen[world.top]
    if world.pile_size == 1:
        return 2.5 - 0.17 * left + 2.2 * matching + 0.3 * world.pile_points
    return (world.pile_points + world.pile_size / 9) * (0.12 + 0.14 * matching) - 0.9
