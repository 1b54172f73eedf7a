"""Worlds that a seat may be in: what it does not know, dealt at random."""

from random import Random
from typing import Final, NamedTuple

from games.rules.flat import below, chance, fork, shuffle
from games.rules.pazaak.bots.world import AMOUNTS, WAY_COUNTS, PazaakWorld
from games.rules.pazaak.predicates import PLACES
from games.rules.stream import Stream

TRIES: Final = 6  # hands drawn until one fits what the rival let pass
STILL_HELD: Final = 0.1  # the chance that a card let pass is held all the same


class Known(NamedTuple):
    """What the seat that searches knows and believes.

    ``worlds`` is one world, with what is known. ``unseen`` are the cards left in the main deck of
    each seat, ``likely`` side decks that the rival may have, each a list of cards; ``held`` is how
    many of them are its hand. ``passed`` are amounts that the rival let pass: from, to, and how
    many side cards it drew since. ``sizes`` are lengths: of the two ``unseen``, then of ``likely``.
    """

    worlds: list[PazaakWorld]
    unseen: list[list[int]]
    likely: list[list[int]]
    sizes: list[int]
    held: int
    passed: list[list[int]]


class Sampled(NamedTuple):
    """Room for a world, the stream of its later rounds, and for the cards of a deck."""

    worlds: list[PazaakWorld]
    later: Stream
    deck: list[int]


def sample(rng: Random, known: Known, sampled: Sampled) -> None:
    """Deals what is not known into a world that holds the rest."""
    world, deck = sampled.worlds[0], sampled.deck
    me = world.me
    for seat in range(2):
        size = known.sizes[seat]
        for at in range(size):
            deck[at] = known.unseen[seat][at]
        shuffle(rng, deck, size)
        for at in range(min(size, PLACES)):
            world.main[seat][at] = deck[at]
    if not world.modelled:
        size = world.side_size[me]
        for at in range(size):
            deck[at] = known.worlds[0].side[me][at]
        shuffle(rng, deck, size)
        for at in range(size):
            world.side[me][size - 1 - at] = deck[at]
        fork(rng, sampled.later)
    deal_rival(rng, known, world, deck)


def deal_rival(rng: Random, known: Known, world: PazaakWorld, deck: list[int]) -> None:
    """The rival's cards, those of its hand first."""
    rival, held, size = 1 - world.me, known.held, 0
    for _ in range(TRIES):
        which = below(rng, len(known.likely))
        size = known.sizes[2 + which]
        for at in range(size):
            deck[at] = known.likely[which][at]
        shuffle(rng, deck, size)
        if not len(known.passed) or chance(rng) < fits(known, deck):
            break
    for at in range(held):
        world.hand[rival][at] = deck[at]
    for at in range(held, size):
        world.side[rival][size - 1 - at] = deck[at]
    world.hand_size[rival], world.side_size[rival] = held, size - held


def fits(known: Known, hand: list[int]) -> float:
    """How likely the rival would have let pass what it did with this hand."""
    likely = 1.0
    for nth in range(len(known.passed)):
        low, high, since = known.passed[nth][0], known.passed[nth][1], known.passed[nth][2]
        for at in range(known.held - since):
            if is_one_of(hand[at], low, high):
                likely *= STILL_HELD
                break
    return likely


def is_one_of(card: int, low: int, high: int) -> bool:
    """Whether the card may add an amount from ``low`` to below ``high``."""
    for way in range(WAY_COUNTS[card]):  # noqa: SIM110 - compiled code has no generators
        if low <= AMOUNTS[card][way] < high:
            return True
    return False
