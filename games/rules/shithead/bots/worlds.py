"""Possible worlds behind a view, dealt straight into the kernel."""

from collections.abc import Sequence
from random import Random

from games.rules.cards import TEXT
from games.rules.shithead.bots.kernel import World
from games.rules.shithead.bots.lacks import STILL_HELD, Lacks, lacking
from games.rules.shithead.bots.rank_counts import ANYTHING, ONE, PLACE, counts_of
from games.rules.shithead.knowledge import known_hands, unseen_cards
from games.rules.shithead.view import ShitheadView
from games.rules.values import Event


class Unseen:
    """What a seat knows of a position, and the cards it cannot place."""

    def __init__(
        self, known: World, lot: list[int], draws: list[int], lacks: Sequence[Lacks]
    ) -> None:
        self.known = known
        self._lot = lot
        self._draws = draws
        self._lacks = lacks

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
        lot = [PLACE[TEXT[card][0]] for card in sorted(unseen)]
        return cls(world, lot, draws, lacking(view, events))

    def sample(self, rng: Random) -> World:
        """One world: the lot dealt at random into hands, hidden slots and stock."""
        world = self.known.copy()
        lot = self._lot[:]
        for seat, cards in enumerate(self._draws):
            if cards:
                world.hands[seat] += _drawn(lot, cards, self._lacks[seat], rng)
        chance = rng.random
        lot.sort(key=lambda _: chance())  # a shuffle, in half the time
        for hidden in world.hidden:
            for at in range(len(hidden)):
                hidden[at] = lot.pop()
        world.stock = lot
        return world


def _drawn(lot: list[int], cards: int, lacks: Lacks, rng: Random) -> int:
    """Cards taken from the lot at random for one hand, as counts."""
    hand, tries, left = 0, 4 * len(lot), len(lot)
    while cards:
        at = int(rng.random() * left)
        one = ONE[lot[at]]
        tries -= 1
        if tries > 0 and (one & lacks.none or (one & lacks.few and rng.random() > STILL_HELD)):
            continue
        left -= 1
        lot[at], lot[left] = lot[left], lot[at]
        lot.pop()
        hand += one
        cards -= 1
    return hand


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
