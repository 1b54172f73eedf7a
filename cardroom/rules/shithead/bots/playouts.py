"""Keepers play the world of a search on, until it is settled for the seat that searches.

That seat itself may play more cunningly (``cunning_turn``), and so do others that are no keepers in
this world.

A small value network: what a game among four is worth to the seat that is to choose.

It sees all hands, so it judges a world of the search and not what a seat sees. Its inputs are
counts, its weights whole numbers, so plain and compiled code come to the same. It has one layer of
hidden units, and every input counts straight, too. It learned from games of the search without it
(``cardroom.research.shithead.train``), under the default options alone.
"""

from functools import cache
from math import exp
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from cardroom.rules import values
from cardroom.rules.search import chance
from cardroom.rules.shithead.bots.simple import keepers_turn
from cardroom.rules.shithead.bots.world import (
    ANYTHING,
    EVERYBODY,
    JOKER,
    KING,
    ONES,
    TEN,
    THREE,
    ShitheadWorld,
    cards_of,
    count,
    first,
    holds_most,
    is_over,
    next_seat,
    play,
    play_any,
)
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
    return values.read(FILE).tolist()


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
    """The expected worth of the game by the network, as ``playouts.worth_of`` counts it."""
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


# How a playout goes on where the tree ends: all play as keepers, the own seat plays cunningly, or
# all play as keepers and a value network judges as well.
BY_KEEPERS, CUNNINGLY, JUDGED = 0, 1, 2

LONGEST: Final = 300  # turns of a playout, most of which take about 70
WAITING: Final = 0.5  # what so long a playout is worth to the seat that holds fewer cards (R19)
WEARYING: Final = 0.1  # what it is worth where a cunning seat plays: it must not turn in circles
SLIP: Final = 0.2  # the chance that a seat plays anything it may, where another is no keeper
PLACE_COUNTS: Final = 0.02  # of a playout's worth; the rest is not to be the shed

# Gains of a cunning turn, learned from games of it against `keeper`. By rank, in the order of
# `PARTS_WITH`: by parting with a card, with another one of the rank, by the next seat's having to
# pick up, and by what is the lowest rank with which it can answer.
PARTING: Final = (112, 88, 66, 16, 79, 25, -46, -79, -110, -197, -270, -164, -245, -235)
ANOTHER: Final = (32, 32, 30, -18, 32, 25, 31, 20, -44, -75, -41, 25, 12, -22)
UNANSWERED: Final = (-21, 81, -40, 167, 57, 83, 72, 47, 3, -50, 63, 132, -80, -15)
ANSWERED: Final = (27, 35, 51, 15, -88, -87, -57, -25, -31, 28, 45, 70, 48, 10)
TEN_ANSWERS: Final = -4  # a card of the pile that a ten could burn
PICKED_UP: Final = 15  # a card of the pile
PICKED_UP_LATE: Final = 19  # for each card fewer than `LATE` of the seat that picks up
LATE: Final = 12
BURNING: Final = 149
BURNING_CARD: Final = -12  # a card of the pile
LAST: Final = 90  # of the hand
LAST_OF_ALL: Final = 150  # but for hidden cards
NEVER: Final = -100_000


def play_on(world: ShitheadWorld, most: int) -> int:
    """Plays to the end, for at most so many turns; how many are left."""
    me = world.me
    while most and world.active > 1 and not world.places[me]:
        keepers_turn(world)
        most -= 1
    return most


def play_cunningly(rng: Random, world: ShitheadWorld, most: int, choices: list[int]) -> None:
    """As ``play_on``, with a cunning own seat. Among more than two it has gained nothing.

    Two cunning seats alone would turn in circles in a third of all games, so both play anything
    now and then. ``choices`` is room for these.
    """
    me = world.me
    slip = 0.0 if world.keepers == EVERYBODY else SLIP
    world.keepers &= ~(1 << me)
    while most and world.active > 1 and not world.places[me]:
        if slip and chance(rng) < slip:
            play_any(rng, world, choices)
        else:
            take_turn(world)
        most -= 1


def take_turn(world: ShitheadWorld) -> None:
    if world.keepers >> world.turn & 1:
        keepers_turn(world)
    else:
        cunning_turn(world)


def cunning_turn(world: ShitheadWorld) -> None:
    """A turn that sees what the other seat holds in this world."""
    hand, top = world.hands[world.turn], world.tops[world.turn]
    mine = hand or top
    left = mine & world.masks[world.t]
    if not left:
        keepers_turn(world)
        return
    other, pile = next_seat(world), count(world.pile)
    held = world.hands[other] or world.tops[other]
    burnt = pile * TEN_ANSWERS if held >> 4 * TEN & 15 else 0
    picked_up = pile * PICKED_UP + max(0, LATE - cards_of(world, other)) * PICKED_UP_LATE
    best, best_rank, best_cards = NEVER, 0, 0
    while left:
        rank = first(left)
        cards = left >> 4 * rank & 15
        left -= cards << 4 * rank
        reply = 0
        if held:
            answers = held & world.masks[world.t if rank == THREE else rank]
            reply = ANSWERED[first(answers)] + burnt if answers else UNANSWERED[rank] + picked_up
        while cards:
            gain = PARTING[rank] + (cards - 1) * ANOTHER[rank]
            gain += BURNING + pile * BURNING_CARD if burns(world, rank, cards) else reply
            if mine == cards << 4 * rank:
                gain += LAST if hand and top else LAST_OF_ALL
            if gain > best:
                best, best_rank, best_cards = gain, rank, cards
            cards = 1 if cards > 1 else 0
    whole = hand == best_cards << 4 * best_rank and best_rank < KING
    play(world, best_rank, best_cards, top >> 4 * best_rank & 15 if whole else 0)


def burns(world: ShitheadWorld, rank: int, cards: int) -> bool:
    """R13, as ``play`` has it; threes that do not stop a burn aside."""
    run = cards + world.run if rank == world.last else cards
    return rank == TEN or run >= 4 or (rank == JOKER and run >= 2)


def play_to_a_choice(world: ShitheadWorld, most: int) -> int:
    """As ``play_on``, but not the first turn of the own seat with several legal moves."""
    me = world.me
    while most and world.active > 1 and not world.places[me]:
        if world.turn == me and has_choice(world):
            break
        take_turn(world)
        most -= 1
    return most


def has_choice(world: ShitheadWorld) -> bool:
    """Whether the seat to play has several legal moves (``choices.legal``)."""
    hand, top = world.hands[world.turn], world.tops[world.turn]
    may = (hand or top) & world.masks[world.t]
    if not may:
        return False
    if may & (may - 1) or not may & ONES:  # more than one card
        return True
    if world.voluntary and world.pile:
        return True
    return hand == may and top & 15 * may > 0


def worth_of(world: ShitheadWorld) -> float:
    """1 for the first place, nearly as much for the others, 0 for the shed."""
    place = world.places[world.me]
    if place:
        return 1 - PLACE_COUNTS * (place - 1) / (world.players - 1)
    return 0.0 if world.active == 1 or holds_most(world, world.me) else WAITING


def judged_worth(world: ShitheadWorld, most: int, network: Network) -> float:
    """The mean of what the network expects and of what comes of playing on as keepers.

    The own seat is to choose, if the game is not over.
    """
    if not most or is_over(world):
        return worth_of(world)
    worth = expected(world, network)
    play_on(world, most)
    return (worth + worth_of(world)) / 2


def cunning_worth(world: ShitheadWorld) -> float:
    """As ``worth_of``, but a game that does not end is hardly better than a lost one."""
    return WEARYING if world.active > 1 and not world.places[world.me] else worth_of(world)
