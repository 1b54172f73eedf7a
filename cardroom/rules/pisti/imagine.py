"""A possible world behind a view, for bots that search: what is unknown is dealt at random."""

from collections.abc import Sequence
from random import Random

from cardroom.rules.cards import CARD
from cardroom.rules.pisti.knowledge import Knowledge, Slots, knowledge_of
from cardroom.rules.pisti.predicates import PACK, heap_of
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event


def imagine(view: PistiView, rng: Random, events: Sequence[Event] = ()) -> PistiState:
    """A state that shows this seat the same view; ``events`` fix every card it has seen."""
    world = _slots(view, knowledge_of(view, events))
    _place_bottom(view, world)
    _fill(world, rng)
    pile, stock, *rest = (tuple([card for card in slots if card is not None]) for slots in world)
    hands, heaps = rest[: len(view.hand_sizes)], rest[len(view.hand_sizes) :]
    return PistiState(
        options=view.options,
        deal_no=view.deal_no,
        dealer=view.dealer,
        to_play=view.to_act[0] if view.to_act else view.starter,
        plays_made=view.plays_made,
        stock=stock,
        pile=pile,
        face_down=view.face_down,
        hands=tuple(hands),
        heaps=tuple(map(heap_of, heaps)),
        pistis=view.pistis,
        doubles=view.doubles,
        totals=view.totals,
        last_capturer=view.last_capturer,
        bottom=None if view.bottom_card is None else CARD[view.bottom_card],
        over=view.phase == "over",
    )


def _slots(view: PistiView, knowledge: Knowledge) -> list[Slots]:
    """Pile, stock, then the hands and the heaps by seat, with ``None`` for an unknown card."""
    hands: list[Slots] = [[None] * size for size in view.hand_sizes]
    if view.seat is not None:
        hands[view.seat] = [CARD[code] for code in view.hand]
    return [knowledge.pile, [None] * view.stock_size, *hands, *knowledge.heaps]


def _place_bottom(view: PistiView, world: list[Slots]) -> None:
    """The exposed card lies last in the stock or, once dealt, in the dealer's hand."""
    if view.bottom_card is None:
        return
    bottom = CARD[view.bottom_card]
    if any(bottom in slots for slots in world):
        return
    stock, dealers_hand = world[1], world[2 + view.dealer]
    for slots in (stock, dealers_hand):
        if None in slots:
            slots[-1] = bottom
            return


def _fill(world: list[Slots], rng: Random) -> None:
    placed = {card for slots in world for card in slots}
    unknown = [card for card in PACK if card not in placed]
    rng.shuffle(unknown)
    for slots in world:
        for at, card in enumerate(slots):
            if card is None:
                slots[at] = unknown.pop()
