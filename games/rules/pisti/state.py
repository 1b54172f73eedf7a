"""Everything about a Pişti match at one version, kept small: it is written with every move.

Cards are ints. A heap is a set of cards as the bits of one int (card c is bit ``1 << c``),
because nobody asks a heap for its order.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from games.rules.pisti.options import PistiOptions
from games.rules.values import Card, CardSet, Seat, State

T = TypeVar("T")


class PistiState(State, frozen=True, gc=False):
    """``pile`` is bottom to top, ``stock`` next card first; ``pistis``… are one number a side."""

    options: PistiOptions
    deal_no: int
    dealer: Seat
    to_play: Seat
    plays_made: int
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    face_down: int  # so many cards at the bottom of the pile nobody has captured or seen
    hands: tuple[tuple[Card, ...], ...]
    heaps: tuple[CardSet, ...]
    pistis: tuple[int, ...]
    doubles: tuple[int, ...]
    totals: tuple[int, ...]
    last_capturer: Seat | None = None
    bottom: Card | None = None  # the exposed bottom card of this deal's pack
    over: bool = False


def heap_of(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def heap_of_side(heaps: tuple[int, ...], seats: tuple[Seat, ...]) -> int:
    return sum(heaps[seat] for seat in seats)  # disjoint sets: the sum is the union


def cards_of(heap: int) -> Iterator[int]:
    return (card for card in range(52) if heap >> card & 1)


def with_item(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def all_cards(state: PistiState) -> list[int]:
    """Every card of the deal, wherever it lies."""
    heaps = [card for heap in state.heaps for card in cards_of(heap)]
    hands = [card for hand in state.hands for card in hand]
    return [*state.stock, *state.pile, *hands, *heaps]
