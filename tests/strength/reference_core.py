"""Processor time as a reference core needs it, so that limits hold on fast and slow machines.

A core gets slower while other cores of its host are busy: on a rented machine by a half, for some
minutes. So after every ``SLICE`` of what a row times, a fixed piece of plain Python is timed too.
Both sides then meet the same machine, and the limit is asked of their ratio.

The piece does what rules do and uses none of them: it replaces frozen records, cuts and joins
tuples of cards and fills a dictionary. Measured in turns, it slows down with the environments and
the searches; a bare loop does not, as it hardly uses the memory that busy neighbours take away.
The reference core plays the piece in ``REFERENCE`` seconds.
"""

from dataclasses import dataclass, replace
from random import Random
from time import process_time
from typing import Final

REFERENCE: Final = 0.027  # seconds of CPython 3.11
DEALS: Final = 150
SLICE: Final = 0.25  # seconds
DECK: Final = tuple(f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "CDHS")


@dataclass(frozen=True, slots=True)
class Deal:
    hands: tuple[tuple[str, ...], ...]
    pile: tuple[str, ...]
    stock: tuple[str, ...]
    turn: int


class Stopwatch:
    """Adds up seconds of processor time: on this core (``here``) and on the reference core."""

    def __init__(self) -> None:
        self.here = 0.0
        self._there, self._slice = 0.0, 0.0
        self._before = seconds_of_the_piece()

    def add(self, seconds: float) -> None:
        """Seconds just spent on what is measured."""
        self.here += seconds
        self._slice += seconds
        if self._slice >= SLICE:
            self._end_slice()

    def there(self) -> float:
        """The time that the reference core would have needed; ends the slice."""
        if self._slice:
            self._end_slice()
        return self._there

    def _end_slice(self) -> None:
        after = seconds_of_the_piece()
        self._there += self._slice * REFERENCE / ((self._before + after) / 2)
        self._before, self._slice = after, 0.0


def seconds_of_the_piece() -> float:
    begun = process_time()
    for seed in range(DEALS):
        play(seed)
    return process_time() - begun


def play(seed: int) -> int:
    """A deal for two at random; the cards that were taken."""
    chance, cards = Random(seed), list(DECK)
    chance.shuffle(cards)
    deal = Deal((tuple(cards[:4]), tuple(cards[4:8])), tuple(cards[8:12]), tuple(cards[12:]), 0)
    seen: dict[str, int] = {}
    taken = 0
    while hand := deal.hands[deal.turn]:
        card = hand[int(chance.random() * len(hand))]
        left, stock = tuple(other for other in hand if other != card), deal.stock
        if stock and not left:
            left, stock = stock[:4], stock[4:]
        pile = (*deal.pile, card)
        if deal.pile and card[0] in ("J", deal.pile[-1][0]):
            taken, pile = taken + len(pile), ()
        seen[card] = seen.get(card[0], 0) + 1
        hands = list(deal.hands)
        hands[deal.turn] = left
        deal = replace(deal, hands=tuple(hands), pile=pile, stock=stock, turn=1 - deal.turn)
    return taken
