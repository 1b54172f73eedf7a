"""Possible worlds behind a view, dealt straight into the kernel."""

from collections.abc import Sequence
from random import Random

from games.rules.cards import TEXT
from games.rules.shithead.bots.kernel import World
from games.rules.shithead.bots.rank_counts import ANYTHING, ONE, PLACE, counts_of
from games.rules.shithead.knowledge import known_hands, unseen_cards
from games.rules.shithead.view import ShitheadView
from games.rules.values import Event


class Unseen:
    """What a seat knows of a position, and the cards it cannot place."""

    def __init__(self, known: World, lot: list[int], draws: list[int]) -> None:
        self._known = known
        self._lot = lot
        self._draws = draws

    @classmethod
    def behind(cls, view: ShitheadView, events: Sequence[Event]) -> "Unseen":
        world = _known_world(view)
        unseen = unseen_cards(view)
        draws = []
        for seat, cards in enumerate(known_hands(events, len(view.tops))):
            if seat == view.seat:
                draws.append(0)
                continue
            remembered = cards & unseen
            unseen -= remembered
            world.hands[seat] = counts_of(TEXT[card] for card in remembered)
            draws.append(view.hand_counts[seat] - len(remembered))
        return cls(world, [PLACE[TEXT[card][0]] for card in sorted(unseen)], draws)

    def sample(self, rng: Random) -> World:
        """One world: the lot dealt at random into hands, hidden slots and stock."""
        world = self._known.copy()
        lot = self._lot[:]
        rng.shuffle(lot)
        for seat, cards in enumerate(self._draws):
            for _ in range(cards):
                world.hands[seat] += ONE[lot.pop()]
            for at in range(len(world.hidden[seat])):
                world.hidden[seat][at] = lot.pop()
        world.stock = lot
        return world


def _known_world(view: ShitheadView) -> World:
    """What lies open, the own hand, and as many hidden cards as there are, of no rank yet."""
    world = World(view.options)
    world.hands = [0] * len(view.tops)
    if view.seat is not None:
        world.hands[view.seat] = counts_of(view.hand)
    world.tops = [counts_of(top) for top in view.tops]
    world.hidden = [[ANYTHING] * len(slots) for slots in view.hidden]
    world.places = list(view.places)
    world.active = view.places.count(0)
    world.turn = 0 if view.turn is None else view.turn
    world.direction = view.direction
    for code in view.pile:
        world.stack(PLACE[code[0]], 1)
    return world
