"""Which cards of each hand everybody knows, because everybody saw them go there.

The view does not mark them (shithead §5); they follow from the events. Cards that were picked up,
hidden cards that failed and top cards taken in the exchange are known until they are played again.
"""

from collections.abc import Iterable

from cardroom.rules.cards import CARD, pack
from cardroom.rules.shithead.events import (
    Burned,
    Exchanged,
    GameStarted,
    HiddenFailed,
    PickedUp,
    Played,
)
from cardroom.rules.shithead.options import pack_size
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event, Seat


class Knowledge:
    """What everybody knows of the hands after some events of a match."""

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
