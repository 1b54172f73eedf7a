from cardroom.rules.values import Card, Seat, State
from tests.fifth_game.options import HighCardOptions


class HighCardState(State, frozen=True):
    """``laid`` is the trick so far, from ``leader`` on; ``stock`` is never played."""

    options: HighCardOptions
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    leader: Seat
    tricks: tuple[int, ...]
    laid: tuple[Card, ...] = ()
    gone: tuple[Card, ...] = ()
