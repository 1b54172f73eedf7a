"""A small value network: what a game among four is worth to the seat that is to choose.

It sees all hands, so it judges a world of the search and not what a seat sees. Its inputs are
counts, its weights whole numbers, so plain and compiled code come to the same. It has one layer of
hidden units, and every input counts straight, too. It learned from games of the search without it
(``cardroom.research.shithead.train``), under the default options alone.
"""

from functools import cache
from math import exp
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from cardroom.rules import tables
from cardroom.rules.shithead.bots.rank_counts import ANYTHING, count
from cardroom.rules.shithead.bots.world import ShitheadWorld
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shithead.predicates import RANK_COUNT

OPTIONS: Final = ShitheadOptions(players=4)  # what it learned for
FILE: Final = Path(__file__).parent / "tables" / "four_seats.table"

# The inputs: each seat in the order of play, from the one to choose on, then what is common to all.
TOPS: Final = RANK_COUNT
HIDDEN_CARDS: Final = 2 * RANK_COUNT
IS_LEFT: Final = HIDDEN_CARDS + 1
A_SEAT: Final = IS_LEFT + 1
PILE: Final = OPTIONS.players * A_SEAT
TO_BEAT: Final = PILE + 1  # a place for each rank and one for nothing
STOCK: Final = TO_BEAT + RANK_COUNT + 1
INPUTS: Final = STOCK + 1

UNITS: Final = 32
SCALE: Final = 4096  # what a weight of 1 is in the file
STRAIGHT: Final = INPUTS * UNITS  # the weights of hidden units come first, input by input
FROM_UNITS: Final = STRAIGHT + INPUTS
BIASES: Final = FROM_UNITS + UNITS  # of hidden units, then that of the output
WEIGHTS: Final = BIASES + UNITS + 1

MOST_ODDS: Final = 12 * SCALE  # log-odds, scaled
STEP: Final = 16
WORTHS: Final = tuple(
    1 / (1 + exp(-odds / SCALE)) for odds in range(-MOST_ODDS, MOST_ODDS + 1, STEP)
)


def knows(options: ShitheadOptions) -> bool:
    """Whether it learned for a game under these; how many make a match does not matter to it, nor
    how long one may last.
    """
    return replace(options, games=OPTIONS.games, max_turns=OPTIONS.max_turns) == OPTIONS


class Network(NamedTuple):
    """``weights`` as the file has them, and room for the inputs and for what hidden units sum."""

    weights: list[int]
    inputs: list[int]
    units: list[int]


@cache
def learned() -> list[int]:
    """The weights of ``FILE``."""
    return tables.read(FILE).tolist()


def network_of() -> Network:
    """The one that ships."""
    return Network(learned(), [0] * INPUTS, [0] * UNITS)


def observe(world: ShitheadWorld, inputs: list[int]) -> None:
    """Fills in the inputs for the seat to play, which has a choice."""
    for at in range(INPUTS):
        inputs[at] = 0
    seat = world.turn
    for nth in range(world.players):
        if not world.places[seat]:
            first = nth * A_SEAT
            for rank in range(RANK_COUNT):
                inputs[first + rank] = world.hands[seat] >> 4 * rank & 15
                inputs[first + TOPS + rank] = world.tops[seat] >> 4 * rank & 15
            inputs[first + HIDDEN_CARDS] = world.hidden[seat]
            inputs[first + IS_LEFT] = 1
        seat = (seat + world.direction) % world.players
    inputs[PILE] = count(world.pile)
    inputs[TO_BEAT + (RANK_COUNT if world.t == ANYTHING else world.t)] = 1
    inputs[STOCK] = world.stock_size


def expected(world: ShitheadWorld, network: Network) -> float:
    """What the network expects the game to be worth, as ``playouts.worth_of`` has it."""
    weights, units, inputs = network.weights, network.units, network.inputs
    observe(world, inputs)
    for unit in range(UNITS):
        units[unit] = weights[BIASES + unit]
    odds = weights[BIASES + UNITS]
    for at in range(INPUTS):
        times = inputs[at]
        if times:
            odds += weights[STRAIGHT + at] * times
            for unit in range(UNITS):
                units[unit] += weights[at * UNITS + unit] * times
    summed = 0
    for unit in range(UNITS):
        summed += max(0, units[unit]) * weights[FROM_UNITS + unit]
    odds += summed // SCALE
    return WORTHS[(max(-MOST_ODDS, min(MOST_ODDS, odds)) + MOST_ODDS) // STEP]
