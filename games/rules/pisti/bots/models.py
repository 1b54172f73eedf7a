"""Models of the other seats: how they would play a hand, and how likely they play a card of it.

A search takes every other seat for one of these, the likelier the better the model explains what
the seat has played (``belief``), and lets it play on by that model.
"""

from collections.abc import Callable
from math import exp
from typing import Final, NamedTuple

from games.rules.cards import ACE, JACK
from games.rules.pisti.bots import quick_counter
from games.rules.pisti.bots.world import EMPTY, RANKS_OF, World

TEMPERATURE: Final = 0.5  # points: a play that much worse is e times less likely
SURPRISE: Final = 0.03  # the chance of a card that the model does not foresee at all


class Model(NamedTuple):
    """``pick`` is the card that the seat to play puts down; ``likelihood`` the chance that it
    would play the first card of its hand.
    """

    pick: Callable[[World], int]
    likelihood: Callable[[World], float]


def counter_likelihood(world: World) -> float:
    """Of a player who weighs as the counter does, but takes a card nearly as good now and then."""
    worths = quick_counter.weigh(world)
    best = max(worths)
    odds = 0.0
    for worth in worths:
        odds += exp((worth - best) / TEMPERATURE)
    return _surprised(exp((worths[0] - best) / TEMPERATURE) / odds, len(worths))


def greedy_pick(world: World) -> int:
    """As the bot ``greedy``: by rank, else a plain card on an empty table, else the last one."""
    hand = world.hands[world.turn]
    return next(filter(_wanted_by_greedy(world), hand), hand[-1])


def greedy_likelihood(world: World) -> float:
    """The order of the hand is unknown, so what it could play instead is as likely."""
    hand = world.hands[world.turn]
    wanted = list(filter(_wanted_by_greedy(world), hand)) or hand
    return _surprised((hand[0] in wanted) / len(wanted), len(hand))


def _wanted_by_greedy(world: World) -> Callable[[int], bool]:
    top = world.top
    if top == EMPTY:
        return lambda card: RANKS_OF[card] not in (JACK, ACE)
    return lambda card: RANKS_OF[card] == top


def _surprised(chance: float, cards: int) -> float:
    return SURPRISE / cards + (1 - SURPRISE) * chance


COUNTER: Final = Model(quick_counter.pick, counter_likelihood)
GREEDY: Final = Model(greedy_pick, greedy_likelihood)
