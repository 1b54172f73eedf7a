"""Everything about a match at one moment."""

from cardroom.rules.values import Card, Seat, State
from games.newgame.template.options import NewGameOptions


class NewGameState(State, frozen=True):
    """``laid`` is the trick so far, from ``leader`` on; ``gone`` the tricks before it.

    ``tricks`` are those of this round by seat, ``totals`` those of the rounds before. The cards of
    ``stock`` are not played in this round.
    """

    options: NewGameOptions
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    leader: Seat
    tricks: tuple[int, ...]
    totals: tuple[int, ...]
    round: int = 1
    laid: tuple[Card, ...] = ()
    gone: tuple[Card, ...] = ()
