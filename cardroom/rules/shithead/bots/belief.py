"""What a seat knows of a position, from its view and its events.

``sampling`` deals worlds from it.
"""

from collections.abc import Sequence

from cardroom.rules.cards import TEXT
from cardroom.rules.shithead.bots.inference.lacks import Lacks, lacking
from cardroom.rules.shithead.bots.inference.trust import trusted
from cardroom.rules.shithead.bots.rank_counts import PLACE, counts_of
from cardroom.rules.shithead.bots.sampling import Known
from cardroom.rules.shithead.bots.world import ShitheadWorld, empty_world, stack
from cardroom.rules.shithead.knowledge import known_hands, unseen_cards
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event, Seat


def believed(
    view: ShitheadView, events: Sequence[Event], *, exchanges: bool = False, doubts: bool = False
) -> Known:
    """The hands of the others hold what everybody saw go there, and hardly what they lack.

    ``exchanges``: what the exchange of a seat tells of its hand counts too. ``doubts``: the others
    are keepers as far as their turns say so.
    """
    world, unseen = open_cards(view), unseen_cards(view)
    lacks, unknown = lacking(view, events, exchanges=exchanges), list[tuple[Seat, Lacks]]()
    for seat, cards in enumerate(known_hands(events, world.players)):
        if seat == view.seat:
            continue
        remembered = cards & unseen
        unseen -= remembered
        world.hands[seat] = counts_of(TEXT[card] for card in remembered)
        left = view.hand_counts[seat] - len(remembered)
        inferred = lacks[seat][:left]
        unknown += [(seat, card) for card in inferred + [Lacks()] * (left - len(inferred))]
    world.deck[: len(unseen)] = [PLACE[TEXT[card][0]] for card in sorted(unseen)]
    unknown.sort(key=lambda each: -each[1].excluded)
    trust = trusted(view, events) if doubts else [1.0] * world.players
    for seat, place in enumerate(view.places):
        if place or seat == world.me:
            trust[seat] = 1.0
    return Known(
        [world],
        [seat for seat, _ in unknown],
        [card.none for _, card in unknown],
        [card.few for _, card in unknown],
        trust,
    )


def open_cards(view: ShitheadView) -> ShitheadWorld:
    """What lies open, the own hand, and where stock and hidden cards lie, of no rank yet."""
    world, first = empty_world(view.options), view.stock_count
    world.stock_size = first
    for seat, (tops, slots) in enumerate(zip(view.tops, view.hidden, strict=True)):
        world.tops[seat] = counts_of(tops)
        world.first_hidden[seat], world.hidden[seat] = first, len(slots)
        first += len(slots)
    world.me = view.seat or 0
    world.hands[world.me] = counts_of(view.hand)
    world.places[: world.players] = view.places
    world.active = view.places.count(0)
    world.turn = 0 if view.turn is None else view.turn
    world.direction = view.direction
    for code in view.pile:
        stack(world, PLACE[code[0]], 1)
    return world
