from games.rules.values import Seat, State
from tests.fifth_game.options import HighCardOptions


class HighCardState(State, frozen=True):
    """``laid`` is the trick so far, from ``leader`` on; ``stock`` is never played."""

    options: HighCardOptions
    hands: tuple[tuple[int, ...], ...]
    stock: tuple[int, ...]
    leader: Seat
    laid: tuple[int, ...]
    gone: tuple[int, ...]
    tricks: tuple[int, ...]
