"""What a seat knows of a deal and believes of the others, from its view and its events.

``sampling`` deals worlds from it, ``playouts`` plays them.
"""

from collections.abc import Sequence
from typing import Final

from cardroom.rules.cards import CARD
from cardroom.rules.pisti.bots.chances import refused_ranks
from cardroom.rules.pisti.bots.models import weigh_models
from cardroom.rules.pisti.bots.sampling import Known, made_whole
from cardroom.rules.pisti.bots.story import story_of
from cardroom.rules.pisti.bots.world import (
    EMPTY,
    MODELS,
    POINTS,
    RANKS_OF,
    SEATS,
    PistiWorld,
    empty_world,
    give,
    hand_of,
)
from cardroom.rules.pisti.knowledge import Knowledge, knowledge_of
from cardroom.rules.pisti.predicates import PACK
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event, Seat

DOUBT: Final = 0.05  # the least chance of a model, whatever a seat has played earlier
EXACT_DOUBT: Final = 0.01  # where the counter is foreseen to the last rule


def believed(view: PistiView, me: Seat, events: Sequence[Event], *, exact: bool = False) -> Known:
    """What the seat to play knows, and what it takes each other seat for.

    ``exact``: it foresees the counter to the last rule.
    """
    world = empty_world(view.options)
    knowledge = knowledge_of(view, events)
    world.me = world.turn = me
    give(world, me, [CARD[code] for code in view.hand])
    for card in knowledge.seen.difference(hand_of(world, me)):
        world.seen[RANKS_OF[card]] += 1
    hidden = [*_lay_out(world, view, knowledge), *([0] * SEATS)][: SEATS + 1]
    _place_bottom(world, view, knowledge)
    for seat, ranks in enumerate(refused_ranks(events, world.players)):
        world.refused[seat] = sum(1 << rank for rank in ranks)
    story, closed = story_of(view, me, events)
    for each in (world, *story, *closed):
        each.exact = int(exact)
    return Known(
        worlds=[world],
        lot=[card for card in PACK if card not in knowledge.seen],
        wanted=[size or world.sizes[seat] for seat, size in enumerate(_sizes(view))],
        hidden=hidden,
        trust=_judged(closed, world.players, EXACT_DOUBT if exact else DOUBT),
        story=story,
    )


def all_known(known: Known, view: PistiView) -> bool:
    """The other hand of two is what is left."""
    (world,) = known.worlds
    drawn = sum(known.wanted[seat] - world.sizes[seat] for seat in range(world.players))
    return world.players == 2 and not view.stock_size and drawn == len(known.lot)


def _sizes(view: PistiView) -> list[int]:
    return [*view.hand_sizes, *([0] * SEATS)][:SEATS]


def _lay_out(world: PistiWorld, view: PistiView, knowledge: Knowledge) -> list[int]:
    """Piles and heaps; how many of their cards nobody saw, by side and last in the pile."""
    options, pile = view.options, knowledge.pile
    world.pile_size = len(pile)
    world.pile_points = sum(POINTS[card] for card in pile if card is not None)
    world.top = EMPTY if view.top is None else RANKS_OF[CARD[view.top]]
    hidden = [0] * world.sides
    for seat, heap in enumerate(knowledge.heaps):
        side = seat % world.sides
        world.cards[side] += len(heap)
        world.points[side] += sum(POINTS[card] for card in heap if card is not None)
        hidden[side] += heap.count(None)
    for side, (pistis, doubles) in enumerate(zip(view.pistis, view.doubles, strict=True)):
        world.bonus[side] = pistis * options.pisti_points + doubles * world.double
    world.totals[: world.sides] = view.totals
    world.plays = view.plays_made
    world.last = -1 if view.last_capturer is None else view.last_capturer
    return [*hidden, pile.count(None)]


def _place_bottom(world: PistiWorld, view: PistiView, knowledge: Knowledge) -> None:
    """The exposed card is the dealer's once the stock is dealt, until it is played."""
    if view.bottom_card is None or view.stock_size or view.dealer == world.me:
        return
    bottom = CARD[view.bottom_card]
    if not any(bottom in slots for slots in (knowledge.pile, *knowledge.heaps)):
        give(world, view.dealer, [bottom])
        world.seen[RANKS_OF[bottom]] -= 1


def _judged(closed: Sequence[PistiWorld], players: int, doubt: float) -> list[float]:
    """By seat, the chances of the models, by what it played of hands that are known now."""
    trust = [[1 / MODELS] * MODELS for _ in range(players)]
    for before in closed:
        seat = before.turn
        give(before, seat, before.played[: before.played_size])
        weigh_models(before)
        for model in range(MODELS):
            trust[seat][model] *= before.odds[model][0]
        made_whole(trust[seat])
    for chances in trust:
        chances[:] = [max(doubt, chance) for chance in chances]
        made_whole(chances)
    return [chance for chances in trust for chance in chances]
