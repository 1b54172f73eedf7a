"""The last block of a deal between two, where the other hand is what is left: solved exactly.

Every line is looked at (expectimax). The seat that searches plays its best; the other one plays
each card as likely as its models say, and with each card one of the models fits it better.
"""

from games.rules.pisti.bots.models import COUNTER, GREEDY
from games.rules.pisti.bots.outlook import chance
from games.rules.pisti.bots.world import World
from games.rules.values import Seat


def expected(world: World, me: Seat, target: int | None, counting: float) -> float:
    """The chance of ``me`` to win the match; ``counting`` is that of the rival to count.

    A world without cards left is finished by it; any other stays as it is.
    """
    hand = world.hands[world.turn]
    if not hand:
        world.finish()
        return chance(world, me, target)
    if world.turn == me:
        return max(expected(_after(world, card), me, target, counting) for card in hand)
    counters, greedys, worth = COUNTER.odds(world), GREEDY.odds(world), 0.0
    for card, counters_odds, greedys_odds in zip(hand, counters, greedys, strict=True):
        by_counter, by_greedy = counting * counters_odds, (1 - counting) * greedys_odds
        likely = by_counter + by_greedy
        worth += likely * expected(_after(world, card), me, target, by_counter / likely)
    return worth


def _after(world: World, card: int) -> World:
    twin = world.copy()
    twin.put(card)
    return twin
