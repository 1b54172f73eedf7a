"""Worlds that a seat may be in: the cards that it cannot place, dealt at random."""

from random import Random
from typing import Final, NamedTuple

from cardroom.rules.flat import chance, shuffle
from cardroom.rules.shithead.bots.rank_counts import ONE
from cardroom.rules.shithead.bots.world import ShitheadWorld

STILL_HELD: Final = 0.15  # the chance that a card of a doubtful rank is held all the same


class Known(NamedTuple):
    """What the seat that searches knows and infers.

    ``worlds`` is one world, with what is known; its deck has every card that the seat cannot place.
    Some of these are in hands: ``holders`` has the seat of each of them. It is of none of the ranks
    in ``none``, and hardly of one in ``few``; first come those of which something is known.
    ``trust`` is by seat the chance that it plays as ``keeper`` (``inference``).
    """

    worlds: list[ShitheadWorld]
    holders: list[int]
    none: list[int]
    few: list[int]
    trust: list[float]


def deal_unknown(rng: Random, known: Known, world: ShitheadWorld) -> None:
    """Deals the deck of the known world into hands, hidden slots and stock, and says who keeps."""
    for seat in range(world.players):
        if known.trust[seat] < 1 and chance(rng) >= known.trust[seat]:
            world.keepers -= 1 << seat
    left, nth = world.stock_size + len(known.holders), 0
    for seat in range(world.players):
        left += world.hidden[seat]
    while nth < len(known.holders) and known.none[nth] | known.few[nth]:
        draw_likely(rng, known, world, nth, left)
        left -= 1
        nth += 1
    shuffle(rng, world.deck, left)
    for unknown in range(nth, len(known.holders)):
        left -= 1
        world.hands[known.holders[unknown]] += ONE[world.deck[left]]


def draw_likely(rng: Random, known: Known, world: ShitheadWorld, nth: int, left: int) -> None:
    """The nth unknown card of a hand, of a rank that it may be, from so many cards."""
    deck, none, few = world.deck, known.none[nth], known.few[nth]
    at, one = 0, 0
    for _ in range(4 * left):  # then it is any card: perhaps only ranks that it is not are left
        spot = chance(rng) * left
        at = int(spot)
        one = ONE[deck[at]]
        if not one & none and (not one & few or spot - at <= STILL_HELD):
            break
    deck[at] = deck[left - 1]
    world.hands[known.holders[nth]] += one
