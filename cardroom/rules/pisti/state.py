"""Everything about a Pişti match at one version, kept small: it is written with every move."""

from cardroom.rules.pisti.options import PistiOptions
from cardroom.rules.values import Card, CardSet, Seat, State


class PistiState(State, frozen=True, gc=False):
    """``pile`` is bottom to top, ``stock`` next card first; ``pistis``… are one number a side."""

    options: PistiOptions
    deal_no: int
    dealer: Seat
    to_play: Seat
    plays_made: int
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    face_down: int  # cards at the bottom of the pile that nobody has captured or seen
    hands: tuple[tuple[Card, ...], ...]
    heaps: tuple[CardSet, ...]
    pistis: tuple[int, ...]
    doubles: tuple[int, ...]
    totals: tuple[int, ...]
    last_capturer: Seat | None = None
    bottom: int | None = None  # the exposed card; no Card, for it also lies in the stock or later
    over: bool = False
