"""Worlds of Pazaak that a seat may be in, for plain searches: what it does not know, at random.

The rival's side deck is secret. It is taken for one of the decks that many bring, for one like the
own or for the computers' own, whichever hold most of what the rival has played. A cheater's side
deck is known to all (R25).
"""

from collections import Counter
from functools import lru_cache
from random import Random
from typing import NamedTuple

from cardroom.rules.pazaak.bots.outlook import halves, numbers, position_of
from cardroom.rules.pazaak.bots.world import LONGEST, PazaakWorld
from cardroom.rules.pazaak.predicates import PLACES, unseen_main
from cardroom.rules.pazaak.side_cards import (
    CATALOGUES,
    READY_MADE,
    cheater_deck,
    faults,
    reference_deck,
)
from cardroom.rules.pazaak.view import HalfView, PazaakView
from cardroom.rules.search import below, fork, shuffle
from cardroom.rules.shuffles import Stream


class Known(NamedTuple):
    """The knowledge and the beliefs of the seat that searches.

    ``worlds`` is one world, with what is known. ``unseen`` are the cards left in the main deck of
    each seat, ``likely`` side decks that the rival may have, each a list of cards; ``held`` is how
    many of them are its hand. ``sizes`` are lengths: of the two ``unseen``, then of ``likely``.
    """

    worlds: list[PazaakWorld]
    unseen: list[list[int]]
    likely: list[list[int]]
    sizes: list[int]
    held: int


class Sampled(NamedTuple):
    """Room for a world, the stream of its later rounds, and for the cards of a deck."""

    worlds: list[PazaakWorld]
    later: Stream
    deck: list[int]


def believed(view: PazaakView, likely: list[list[int]] | None = None) -> Known:
    """``likely``: what the rival's side deck may be, if not a deck that many bring."""
    world, rival = position_of(view, view.to_act[0]), halves(view)[1]
    world.last = max(LONGEST, world.round_no)
    unseen = [unseen_main(half.board) for half in view.halves]
    held = rival.cards_in_hand if rival.allowance is None else 0
    if likely is None or rival.allowance is not None:
        likely = rivals_decks(view)
    return Known([world], unseen, likely, [len(cards) for cards in (*unseen, *likely)], held)


def rivals_decks(view: PazaakView) -> list[list[int]]:
    """The cards that the rival's deck may still hold, a list for each likely deck."""
    rival = halves(view)[1]
    played = Counter(rival.played)
    if rival.allowance is not None:
        return [numbers((Counter(cheater_deck(view.options.catalogue)) - played).elements())]
    return [numbers(_left(deck, played, rival)) for deck in _likely_decks(view, played)]


def _likely_decks(view: PazaakView, played: Counter[str]) -> list[tuple[str, ...]]:
    """Decks that many bring and one like the own, those that hold most of what was played."""
    mine = halves(view)[0]
    own = (*mine.played, *(view.hand or ()), *(view.side_deck or ()))
    decks = [*_known_decks(view.options.catalogue), own]
    fits = [(Counter(deck) & played).total() for deck in decks]
    return [deck for deck, fit in zip(decks, fits, strict=True) if fit == max(fits)]


@lru_cache
def _known_decks(catalogue: str) -> tuple[tuple[str, ...], ...]:
    ready = [deck.cards for deck in READY_MADE if not faults(deck.cards, catalogue)]
    reference = reference_deck(catalogue)
    return (*ready, *([] if reference in ready else [reference]))


def _left(deck: tuple[str, ...], played: Counter[str], rival: HalfView) -> list[str]:
    """The rest of such a deck, filled up where the rival played other cards."""
    left = list((Counter(deck) - played).elements())
    size = rival.cards_in_hand + rival.cards_in_side_deck
    return [*left, *CATALOGUES["kotor1"]][:size] if len(left) < size else left


def sample(rng: Random, known: Known, sampled: Sampled) -> None:
    """Deals what is not known into a world that holds the rest."""
    world, deck = sampled.worlds[0], sampled.deck
    for seat in range(2):
        size = known.sizes[seat]
        for at in range(size):
            deck[at] = known.unseen[seat][at]
        shuffle(rng, deck, size)
        for at in range(min(size, PLACES)):
            world.main[seat][at] = deck[at]
    size = world.side_size[world.me]
    for at in range(size):
        deck[at] = known.worlds[0].side[world.me][at]
    shuffle(rng, deck, size)
    for at in range(size):
        world.side[world.me][size - 1 - at] = deck[at]
    fork(rng, sampled.later)
    deal_rival(rng, known, world, deck)


def deal_rival(rng: Random, known: Known, world: PazaakWorld, deck: list[int]) -> None:
    """The rival's cards, those of its hand first."""
    rival, held = 1 - world.me, known.held
    which = below(rng, len(known.likely))
    size = known.sizes[2 + which]
    for at in range(size):
        deck[at] = known.likely[which][at]
    shuffle(rng, deck, size)
    for at in range(held):
        world.hand[rival][at] = deck[at]
    for at in range(held, size):
        world.side[rival][size - 1 - at] = deck[at]
    world.hand_size[rival], world.side_size[rival] = held, size - held
