"""What a seat has seen of the current deal, folded from the events as that seat saw them.

Apart, because imagining a world, counting cards and re-dealing unknown ones read the same facts.
"""

from collections.abc import Iterable, Sequence

from cardroom.rules.cards import CARD
from cardroom.rules.pisti.events import (
    Captured,
    CardPlayed,
    CentreDealt,
    DealScored,
    DealStarted,
    HandDealt,
    JackBuried,
    LeftoverAwarded,
    Redeal,
)
from cardroom.rules.pisti.predicates import PACK
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event, Seat

Slots = list[int | None]  # cards in order; None is one that lay face down


def shown_cards(event: Event) -> Iterable[str]:
    """The cards an event names to the seat it was shown to."""
    match event:
        case CardPlayed():
            return (event.card,)
        case HandDealt():
            return event.cards or ()
        case Captured():
            return event.face_down or ()
        case CentreDealt():
            return (event.top,)
        case JackBuried():
            return (event.card, event.top)
        case DealScored():
            return (card for side in event.sides for card in side.heap)
    return ()


def known_cards(events: Iterable[Event]) -> set[str]:
    """Every card of the deck now in play that these events name."""
    known: set[str] = set()
    for event in events:
        if isinstance(event, DealStarted | Redeal):
            known.clear()
        known.update(shown_cards(event))
    return known


class Knowledge:
    """The pile, the heaps and every card seen of the current deal."""

    def __init__(self, players: int) -> None:
        self.heaps: list[Slots] = [[] for _ in range(players)]
        self.pile: Slots = []
        self.seen: set[int] = set()
        self.plays_made = 0

    def note(self, event: Event) -> None:
        match event:
            case CardPlayed():
                self.pile.append(CARD[event.card])
                self.plays_made = event.play_no
            case Captured():
                self._take_pile(event.seat, event.face_down)
            case CentreDealt():
                self.pile = [*[None] * (event.count - 1), CARD[event.top]]
            case JackBuried():
                self.pile = [CARD[event.card], *self.pile[:-2], CARD[event.top]]
            case LeftoverAwarded():
                self._take_pile(event.seat, ())
            case DealStarted() | Redeal():
                self._forget()
        self.seen.update([CARD[code] for code in shown_cards(event)])

    def _forget(self) -> None:
        self.heaps = [[] for _ in self.heaps]
        self.pile = []
        self.seen = set()
        self.plays_made = 0

    def _take_pile(self, seat: Seat, face_down: Sequence[str] | None) -> None:
        known = [CARD[code] for code in face_down or ()]
        self.heaps[seat] += [*known, *self.pile[len(known) :]]
        self.pile = []


def knowledge_of(view: PistiView, events: Sequence[Event]) -> Knowledge:
    """What this seat knows: from its events if they tell the whole deal, else from the view."""
    knowledge = Knowledge(len(view.hand_sizes))
    for event in events:
        knowledge.note(event)
    untold = not knowledge.pile and not any(knowledge.heaps)
    if untold or knowledge.plays_made != view.plays_made:
        knowledge = _from_view(view)
    known = (*view.hand, view.top, view.bottom_card)
    knowledge.seen.update([CARD[code] for code in known if code is not None])
    return knowledge


def _from_view(view: PistiView) -> Knowledge:
    """Piles and heaps of unknown cards, of the sizes shown or else of likely ones."""
    knowledge = Knowledge(len(view.hand_sizes))
    on_table = len(PACK) - sum(view.hand_sizes) - view.stock_size
    pile_size = _pile_size(view, on_table)
    if view.top is not None:
        knowledge.pile = [*[None] * (pile_size - 1), CARD[view.top]]
    for seat, size in enumerate(_heap_sizes(view, on_table - pile_size)):
        knowledge.heaps[seat] = [None] * size
    return knowledge


def _pile_size(view: PistiView, on_table: int) -> int:
    if view.pile_size is not None:
        return view.pile_size
    if view.top is None:
        return 0
    return on_table if view.last_capturer is None else 1


def _heap_sizes(view: PistiView, captured: int) -> Sequence[int]:
    if view.heap_sizes is not None:
        return view.heap_sizes
    return [captured if seat == view.last_capturer else 0 for seat in range(len(view.hand_sizes))]
