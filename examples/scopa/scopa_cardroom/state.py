"""Everything about a match at one version."""

from cardroom.rules.values import Card, CardSet, Seat, State
from scopa_cardroom.options import ScopaOptions


class ScopaState(State, frozen=True, gc=False):
    """``laid`` is the card whose capture is still being chosen, or nothing; ``chosen`` are the
    cards of the table that it takes for sure. ``heaps``, ``sweeps`` and ``totals`` are by side;
    ``stock`` has the next card first. ``last_capturer`` is the seat that took last in this deal.
    """

    options: ScopaOptions
    round: int
    leader: Seat
    to_play: Seat
    stock: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    table: tuple[Card, ...]
    heaps: tuple[CardSet, ...]
    sweeps: tuple[int, ...]
    totals: tuple[int, ...]
    laid: tuple[Card, ...] = ()
    chosen: tuple[Card, ...] = ()
    last_capturer: Seat | None = None
    over: bool = False
