"""A possible world behind a view: what is unknown is dealt at random."""

from collections.abc import Sequence
from random import Random

from cardroom.rules.cards import CARD, TEXT
from cardroom.rules.values import Event
from scopa_cardroom.predicates import PACK, Cards, heap_of
from scopa_cardroom.state import ScopaState
from scopa_cardroom.view import ScopaView


def imagine(view: ScopaView, rng: Random, events: Sequence[Event] = ()) -> ScopaState:  # noqa: ARG001 - the view tells all
    """A state that shows this seat the same view."""
    unknown = unseen(view)
    rng.shuffle(unknown)
    hands = []
    for seat, size in enumerate(view.hand_sizes):
        own = seat == view.seat
        hands.append(cards(view.hand) if own else tuple([unknown.pop() for _ in range(size)]))
    return ScopaState(
        options=view.options,
        round=view.round,
        leader=view.leader,
        to_play=view.to_act[0] if view.to_act else view.leader,
        stock=tuple(unknown),
        hands=tuple(hands),
        table=cards(view.table),
        heaps=tuple([heap_of(cards(heap)) for heap in view.heaps]),
        sweeps=view.sweeps,
        totals=view.totals,
        laid=() if view.laid is None else (CARD[view.laid],),
        chosen=cards(view.chosen),
        last_capturer=view.last_capturer,
        over=view.over,
    )


def cards(codes: Sequence[str]) -> Cards:
    return tuple([CARD[code] for code in codes])


def unseen(view: ScopaView) -> list[int]:
    """The cards that lie in the stock or in the hand of another seat."""
    seen = {*view.hand, *view.table, *view.chosen, view.laid}.union(*view.heaps)
    return [card for card in PACK if TEXT[card] not in seen]
