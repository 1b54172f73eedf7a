"""The public cards of each hand, known because everybody saw them go there.

The view does not mark them (shithead §5); they follow from the events. Cards that were picked up,
hidden cards that failed and top cards taken in the exchange are known until they are played again.

A possible world behind a view, for bots: unseen cards dealt at random.
"""

from collections.abc import Iterable, Sequence
from random import Random

from cardroom.rules.cards import CARD, pack
from cardroom.rules.shithead.events import (
    Burned,
    Exchanged,
    GameStarted,
    HiddenFailed,
    PickedUp,
    Played,
)
from cardroom.rules.shithead.options import cards_each, pack_size
from cardroom.rules.shithead.predicates import in_order
from cardroom.rules.shithead.state import Cards, ShitheadState, Slots
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event, Seat


class Knowledge:
    """Public knowledge of the hands after some events of a match."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._forget()

    def _forget(self) -> None:
        self.hands: list[set[int]] = [set() for _ in range(self._players)]
        self._pile: list[int] = []

    def note(self, event: Event) -> None:
        if isinstance(event, Played):
            self._leave(event.seat, event.cards)
            self._pile += [CARD[code] for code in event.cards]
        elif isinstance(event, HiddenFailed):
            self._pile.append(CARD[event.card])  # it goes to the hand with the pile, at once
        elif isinstance(event, PickedUp):
            self.hands[event.seat].update(self._pile)
            self._pile = []
        elif isinstance(event, Burned):
            self._pile = []
        elif isinstance(event, Exchanged):
            self._leave(event.seat, (event.to_top,))
            self.hands[event.seat].add(CARD[event.to_hand])
        elif isinstance(event, GameStarted):
            self._forget()

    def _leave(self, seat: Seat, codes: Iterable[str]) -> None:
        self.hands[seat].difference_update([CARD[code] for code in codes])


def known_hands(events: Iterable[Event], players: int) -> tuple[frozenset[int], ...]:
    """The publicly known cards in each seat's hand after ``events``."""
    knowledge = Knowledge(players)
    for event in events:
        knowledge.note(event)
    return tuple(map(frozenset, knowledge.hands))


def unseen_cards(view: ShitheadView) -> set[int]:
    """The cards that do not lie open to this seat: other hands, hidden cards, the stock."""
    seen = [*view.hand, *view.pile, *view.burned]
    seen += [code for top in view.tops for code in top]
    return set(pack(pack_size(view.options))).difference(CARD[code] for code in seen)


def imagine(view: ShitheadView, rng: Random, events: Sequence[Event] = ()) -> ShitheadState:
    """A state this seat cannot tell from the true one; ``events`` add the cards it remembers."""
    unseen = unseen_cards(view)
    known = _remembered(view, unseen, events)
    for cards in known:
        unseen.difference_update(cards)
    lot = sorted(unseen)
    rng.shuffle(lot)
    return ShitheadState(
        options=view.options,
        game_no=view.game_no,
        dealer=view.dealer,
        direction=view.direction,
        phase=view.phase,
        turn=view.turn,
        ready=view.ready,
        hands=_hands(view, known, lot),
        hidden=_hidden(view, lot),
        stock=tuple(lot),
        tops=tuple(_cards(top) for top in view.tops),
        pile=_cards(view.pile),
        burned=_cards(view.burned),
        places=view.places,
        turns=view.turns,
        times_shed=view.times_shed,
        points=view.points,
        last_shed=view.last_shed,
        swaps_left=view.swaps_left,
    )


def _remembered(
    view: ShitheadView, unseen: set[int], events: Sequence[Event]
) -> tuple[frozenset[int], ...]:
    known = known_hands(events, len(view.tops))
    return tuple(
        frozenset() if seat == view.seat else cards & unseen for seat, cards in enumerate(known)
    )


def _hands(
    view: ShitheadView, known: Sequence[frozenset[int]], lot: list[int]
) -> tuple[Cards, ...]:
    hands = []
    for seat, count in enumerate(view.hand_counts):
        if seat == view.seat:
            hands.append(_cards(view.hand))
        else:
            drawn = [lot.pop() for _ in range(count - len(known[seat]))]
            hands.append(in_order([*known[seat], *drawn]))
    return tuple(hands)


def _hidden(view: ShitheadView, lot: list[int]) -> tuple[Slots, ...]:
    k = cards_each(view.options)
    return tuple(
        tuple([lot.pop() if slot in occupied else None for slot in range(k)])
        for occupied in view.hidden
    )


def _cards(codes: Sequence[str]) -> Cards:
    return tuple([CARD[code] for code in codes])
