"""Worlds that a seat may be in: the cards that it cannot place, dealt at random."""

from random import Random
from typing import Final, NamedTuple

from games.rules.flat import chance, shuffle
from games.rules.shithead.bots.rank_counts import ONE
from games.rules.shithead.bots.world import ShitheadWorld

STILL_HELD: Final = 0.15  # the chance that a card of a doubtful rank is held all the same


class Known(NamedTuple):
    """What the seat that searches knows and infers.

    ``worlds`` is one world, with what is known; its deck has every card that the seat cannot place.
    ``draws`` is by seat how many of them are in its hand; none of the ranks in ``none`` is among
    these, and hardly one of the ranks in ``few``. ``trust`` is by seat the chance that it plays as
    ``keeper`` (``inference``).
    """

    worlds: list[ShitheadWorld]
    draws: list[int]
    none: list[int]
    few: list[int]
    trust: list[float]


def deal_unknown(rng: Random, known: Known, world: ShitheadWorld) -> None:
    """Deals the deck of the known world into hands, hidden slots and stock, and says who keeps."""
    for seat in range(world.players):
        if known.trust[seat] < 1 and chance(rng) >= known.trust[seat]:
            world.keepers -= 1 << seat
    left = world.stock_size
    for seat in range(world.players):
        left += world.hidden[seat] + known.draws[seat]
    for seat in range(world.players):
        if known.draws[seat] and known.none[seat] | known.few[seat]:
            left = draw_likely(rng, known, world, seat, left)
    shuffle(rng, world.deck, left)
    for seat in range(world.players):
        if not known.none[seat] | known.few[seat]:
            for _ in range(known.draws[seat]):
                left -= 1
                world.hands[seat] += ONE[world.deck[left]]


def draw_likely(rng: Random, known: Known, world: ShitheadWorld, seat: int, left: int) -> int:
    """A hand of cards that its seat does not lack; how many cards are left."""
    deck, none, few = world.deck, known.none[seat], known.few[seat]
    hand, tries, wanted = 0, 4 * left, known.draws[seat]
    while wanted:
        spot = chance(rng) * left
        at = int(spot)
        one = ONE[deck[at]]
        tries -= 1
        if tries > 0 and (one & none or (one & few and spot - at > STILL_HELD)):
            continue
        left -= 1
        deck[at] = deck[left]
        hand += one
        wanted -= 1
    world.hands[seat] += hand
    return left
