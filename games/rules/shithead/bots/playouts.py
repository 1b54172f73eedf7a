"""Keepers play the world of a search on, until it is settled for the seat that searches."""

from typing import Final

from games.rules.shithead.bots.keeper import keepers_turn
from games.rules.shithead.bots.rank_counts import ONES
from games.rules.shithead.bots.world import ShitheadWorld, holds_most

LONGEST: Final = 300  # turns of a playout, most of which take about 70
WAITING: Final = 0.5  # what so long a playout is worth to the seat that holds fewer cards (R19)
PLACE_COUNTS: Final = 0.02  # of a playout's worth; the rest is not to be the shed


def play_on(world: ShitheadWorld, most: int) -> int:
    """Plays to the end, for at most so many turns; how many are left."""
    me = world.me
    while most and world.active > 1 and not world.places[me]:
        keepers_turn(world)
        most -= 1
    return most


def play_to_a_choice(world: ShitheadWorld, most: int) -> int:
    """As ``play_on``, but not the first turn of the own seat with several legal moves."""
    me = world.me
    while most and world.active > 1 and not world.places[me]:
        if world.turn == me and has_choice(world):
            break
        keepers_turn(world)
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
