"""What the end of a block is worth: ``games.rules.pisti.bots.outlook``, compiled."""

from math import erf, sqrt, tanh
from typing import Any

from games.fast.compiling import inner
from games.fast.pisti.worlds import (
    BONUS,
    CARD_POINTS,
    HEAPS,
    MAJORITY,
    ME,
    NO_TARGET,
    PILE,
    PILE_POINTS,
    PLAYS,
    SEEN,
    SIDES,
    TARGET,
    TOP,
    TOTALS,
    TURN,
)
from games.rules.pisti.bots import outlook
from games.rules.pisti.predicates import PLAYS_PER_DEAL


@inner
def chance_to_win(world: Any, setting: Any) -> float:
    """``outlook.chance`` of the side that searches."""
    sides, target = setting[SIDES], setting[TARGET]
    side, left = setting[ME] % sides, PLAYS_PER_DEAL - world[PLAYS]
    lead = ahead(setting, TOTALS, sides, side) + margin(world, sides, side, left, setting)
    best, leaders, own, highest = -1, 0, 0, -1
    for each in range(sides):
        total = setting[TOTALS + each] + world[CARD_POINTS + each]
        own = total if each == side else own
        highest = max(highest, total + world[BONUS + each])
        if total > best:
            best, leaders = total, 1
        elif total == best:
            leaders += 1
    if left or target == NO_TARGET:
        share = left / PLAYS_PER_DEAL
        return wins(lead, share + deals_after(highest + outlook.DEAL_POINTS * share, target))
    if best >= target and leaders == 1:
        return 1.0 if own == best else 0.0
    return wins(lead, deals_after(float(best), target))


@inner
def wins(lead: float, deals: float) -> float:
    if deals == 0.0:
        return 0.5 + 0.5 * ((1 if lead > 0 else 0) - (1 if lead < 0 else 0))
    return 0.5 + 0.5 * tanh(lead / (outlook.SPREAD * sqrt(deals)))


@inner
def deals_after(highest: float, target: int) -> float:
    if target == NO_TARGET:
        return 0.0
    return max(0.0, (target - highest) / outlook.PACE + outlook.LAST_DEAL)


@inner
def ahead(values: Any, first: int, sides: int, side: int) -> float:
    total = 0
    for each in range(sides):
        total += values[first + each]
    own = values[first + side]
    return own - (total - own) / (sides - 1)  # type: ignore[no-any-return]


@inner
def margin(world: Any, sides: int, side: int, left: int, setting: Any) -> float:
    if left == 0:
        return ahead(world, CARD_POINTS, sides, side)
    lead = ahead(world, CARD_POINTS, sides, side) + ahead(world, BONUS, sides, side)
    cards = ahead(world, HEAPS, sides, side) / (outlook.CARDS_SPREAD * sqrt(float(left + 1)))
    starting = 1.0 if world[TURN] % sides == side else -1 / (sides - 1)
    majority: float = outlook.MAJORITY * setting[MAJORITY] * erf(cards)
    return lead + majority + starting * to_start(world, left)


@inner
def to_start(world: Any, left: int) -> float:
    if world[PILE] == 0:
        return -1.1 - 0.05 * left
    matching = 4 - world[SEEN + world[TOP]]
    if world[PILE] == 1:
        return 2.5 - 0.17 * left + 2.2 * matching + 0.3 * world[PILE_POINTS]  # type: ignore[no-any-return]
    return (world[PILE_POINTS] + world[PILE] / 9) * (0.12 + 0.14 * matching) - 0.9  # type: ignore[no-any-return]
