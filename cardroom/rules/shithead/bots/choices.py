"""What a seat may choose, each choice one number: a rank, how many cards of it, how many top cards
with them (R9).
"""

from random import Random
from typing import Final

from cardroom.rules.flat import below
from cardroom.rules.shithead.bots.rank_counts import first
from cardroom.rules.shithead.bots.world import ShitheadWorld, pick_up, play, turn_up

PICK_UP: Final = 0
MOST: Final = 55  # choices of a hand


def choice(rank: int, cards: int, extra: int) -> int:
    """``cards`` is at least 1."""
    return extra << 8 | cards << 4 | rank


def make(world: ShitheadWorld, chosen: int) -> None:
    if chosen == PICK_UP:
        pick_up(world)
    else:
        play(world, chosen & 15, chosen >> 4 & 15, chosen >> 8)


def legal(world: ShitheadWorld, choices: list[int]) -> int:
    """What the seat to play may choose from its hand or tops (R7–R9); how many choices."""
    hand, top = world.hands[world.turn], world.tops[world.turn]
    may = (hand or top) & world.masks[world.t]
    size, left = 0, may
    while left:
        rank = first(left)
        cards = left >> 4 * rank & 15
        left -= cards << 4 * rank
        for some in range(1, cards + 1):
            choices[size] = choice(rank, some, 0)
            size += 1
        if hand == cards << 4 * rank:
            for extra in range(1, 1 + (top >> 4 * rank & 15)):
                choices[size] = choice(rank, cards, extra)
                size += 1
    if world.pile and (not may or world.voluntary):
        choices[size] = PICK_UP
        size += 1
    return size


def play_any(rng: Random, world: ShitheadWorld, choices: list[int]) -> None:
    """A turn at random; ``choices`` is room for them."""
    if world.hands[world.turn] or world.tops[world.turn]:
        make(world, choices[below(rng, legal(world, choices))])
    else:
        turn_up(world)
