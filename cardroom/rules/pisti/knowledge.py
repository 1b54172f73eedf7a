"""The knowledge of a seat in the current deal, folded from the events as that seat saw them.

Apart, because imagining a world, counting cards and re-dealing unknown ones read the same facts.

A possible world behind a view, for bots that search: what is unknown is dealt at random.

Facts for a re-deal of Pişti beside the cards that were named (FORMAT.md §2, loaded matches).
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

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
from cardroom.rules.pisti.predicates import PACK, heap_of
from cardroom.rules.pisti.state import PistiState, bottom_position
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event, HistoryStep, Pinned, Seat

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
        self.seen.update(map(CARD.__getitem__, shown_cards(event)))

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
    """The knowledge of this seat: from its events if they cover the deal, else from the view."""
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


WHY_JACKS_STAY: Final = "The jacks that gave way to the exposed card decided which card lies there."


def pinned(state: PistiState, history: Sequence[HistoryStep]) -> tuple[Pinned, ...]:
    """With an exposed bottom card everything from it on; else another card would lie there."""
    if state.bottom is None:
        return ()
    decks = [deck for step in history for deck in step.decks]
    last = [int(card) for card in decks[-1]]
    places = tuple(range(bottom_position(last), len(last)))
    return (Pinned(WHY_JACKS_STAY, ((len(decks) - 1, places),)),)


def deals(_state: PistiState, event: Event) -> bool:
    """Each deck comes with one of these: the first of a deal, or the one after a void deal (R8)."""
    return isinstance(event, DealStarted | Redeal)
