"""Models of the other seats: how they would play a hand, and how likely they play a card of it.

A search takes every other seat for one of these, the likelier the better the model explains what
the seat has played (``belief``), and lets it play on by that model.
"""

from collections.abc import Callable, Sequence
from math import exp
from typing import Final, NamedTuple

from games.rules.cards import ACE, JACK
from games.rules.pisti.bots import quick_counter
from games.rules.pisti.bots.world import EMPTY, RANKS_OF, World

TEMPERATURE: Final = 0.5  # points: a play that much worse is e times less likely
SURPRISE: Final = 0.03  # the chance of a card that the model does not foresee at all


class Model(NamedTuple):
    """``pick`` is the card that the seat to play puts down; ``odds`` the chance of each card of
    its hand to be the one that it plays.
    """

    pick: Callable[[World], int]
    odds: Callable[[World], list[float]]


def counter_odds(world: World) -> list[float]:
    """Of a player who weighs as the counter does, but takes a card nearly as good now and then."""
    worths = quick_counter.weigh(world)
    best = max(worths)
    shares, whole = [], 0.0
    for worth in worths:
        share = exp((worth - best) / TEMPERATURE)
        shares.append(share)
        whole += share
    return _surprised(shares, whole)


def greedy_pick(world: World) -> int:
    """As the bot ``greedy``: by rank, else a plain card on an empty table, else the last one."""
    hand = world.hands[world.turn]
    return next(filter(_wanted_by_greedy(world), hand), hand[-1])


def greedy_odds(world: World) -> list[float]:
    """The order of the hand is unknown, so what it could play instead is as likely."""
    hand = world.hands[world.turn]
    wanted = list(map(_wanted_by_greedy(world), hand))
    if not any(wanted):
        wanted = [True] * len(hand)
    return _surprised(wanted, sum(wanted))


def _wanted_by_greedy(world: World) -> Callable[[int], bool]:
    top = world.top
    if top == EMPTY:
        return lambda card: RANKS_OF[card] not in (JACK, ACE)
    return lambda card: RANKS_OF[card] == top


def _surprised(shares: Sequence[float], whole: float) -> list[float]:
    least = SURPRISE / len(shares)
    return [least + (1 - SURPRISE) * (share / whole) for share in shares]


COUNTER: Final = Model(quick_counter.pick, counter_odds)
GREEDY: Final = Model(greedy_pick, greedy_odds)
