"""Models of the other seats: how they would play a hand, and how likely they play a card of it.

A search takes every other seat for one that plays by one of these models, the likelier the better
the model explains what the seat has played (``belief``), and lets it play on by that model: the
counter; who weighs about as the counter does, but not quite (people, and bots that search); greedy.
"""

from math import exp
from typing import Final

from cardroom.rules.cards import ACE, JACK
from cardroom.rules.pisti.bots.quick_counter import counters_place, judge
from cardroom.rules.pisti.bots.world import EMPTY, MODELS, RANKS_OF, PistiWorld

COUNTER: Final = 0
NEAR_COUNTER: Final = 1
GREEDY: Final = MODELS - 1
TEMPERATURE: Final = 0.5  # points: a play that much worse is e times less likely
SURPRISE: Final = 0.03  # the chance of a card that the model does not foresee at all
EXACT_TEMPERATURE: Final = 0.1  # both where the counter is foreseen to the last rule
EXACT_SURPRISE: Final = 0.01
NEAR_TEMPERATURE: Final = 0.7  # both for who only weighs about as the counter does
NEAR_SURPRISE: Final = 0.1


def models_place(world: PistiWorld) -> int:
    """The place of the card that the seat to play puts down by its model."""
    return counters_place(world) if world.counts[world.turn] else greedys_place(world)


def weigh_models(world: PistiWorld) -> None:
    """How likely each model puts down each card of the seat to play: ``world.odds``."""
    judge(world)
    temperature = EXACT_TEMPERATURE if world.exact else TEMPERATURE
    surprise = EXACT_SURPRISE if world.exact else SURPRISE
    counters_odds(world, COUNTER, temperature, surprise)
    counters_odds(world, NEAR_COUNTER, NEAR_TEMPERATURE, NEAR_SURPRISE)
    greedys_odds(world, surprise)


def counters_odds(world: PistiWorld, model: int, temperature: float, surprise: float) -> None:
    """Of a player who weighs as the counter does, but takes a card nearly as good now and then."""
    worths, odds, cards = world.worths, world.odds[model], world.sizes[world.turn]
    best = worths[0]
    for at in range(1, cards):
        best = max(best, worths[at])
    whole = 0.0
    for at in range(cards):
        odds[at] = exp((worths[at] - best) / temperature)
        whole += odds[at]
    for at in range(cards):
        odds[at] = surprised(odds[at] / whole, cards, surprise)


def greedys_place(world: PistiWorld) -> int:
    """As the bot ``greedy``: by rank, else a plain card on an empty table, else the last one."""
    hand, cards = world.hands[world.turn], world.sizes[world.turn]
    for at in range(cards):
        if greedy_wants(world, RANKS_OF[hand[at]]):
            return at
    return cards - 1


def greedys_odds(world: PistiWorld, surprise: float) -> None:
    """The order of the hand is unknown, so what it could play instead is as likely."""
    hand, cards = world.hands[world.turn], world.sizes[world.turn]
    wanted = 0
    for at in range(cards):
        if greedy_wants(world, RANKS_OF[hand[at]]):
            wanted += 1
    for at in range(cards):
        if not wanted:
            likely = 1 / cards
        else:
            likely = 1 / wanted if greedy_wants(world, RANKS_OF[hand[at]]) else 0.0
        world.odds[GREEDY][at] = surprised(likely, cards, surprise)


def greedy_wants(world: PistiWorld, rank: int) -> bool:
    if world.top == EMPTY:
        return rank != JACK and rank != ACE
    return rank == world.top


def surprised(likely: float, cards: int, surprise: float) -> float:
    return surprise / cards + (1 - surprise) * likely
