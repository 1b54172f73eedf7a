"""Worlds of the searcher in tests."""

from cardroom.rules.cards import TEXT, texts
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots.belief import believed, deal_unknown, open_cards
from cardroom.rules.shithead.bots.world import MOST, PLACE, counts_of, legal


def place(card):
    return PLACE[TEXT[card][0]]


def world_of(state):
    """The searcher's world for a state; hidden cards are turned up from the highest slot down."""
    world = open_cards(SHITHEAD.view(state, 0))
    deck = [place(card) for card in reversed(state.stock)]
    for seat, (hand, slots) in enumerate(zip(state.hands, state.hidden, strict=True)):
        world.hands[seat] = counts_of(texts(hand))
        deck += [place(card) for card in slots if card is not None]
    world.deck[: len(deck)] = deck
    return world


def stock(world):
    return world.deck[: world.stock_size]


def hidden(world):
    firsts = world.first_hidden[: world.players]
    return [world.deck[first:][: world.hidden[seat]] for seat, first in enumerate(firsts)]


def sampled(known, rng):
    """A world that the seat may be in."""
    world = known.worlds[0].copy()
    deal_unknown(rng, known, world)
    return world


def sampled_behind(state, events, rng):
    return sampled(believed(SHITHEAD.view(state, 0), events), rng)


def choices(world):
    """The choices of the seat to play."""
    found = [0] * MOST
    return found[: legal(world, found)]
