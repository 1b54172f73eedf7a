"""The knowledge of a seat, built from what is allowed (RULES.md §5)."""

from cardroom.rules.cards import texts
from cardroom.rules.values import Seat, View
from games.newgame.template.options import NewGameOptions
from games.newgame.template.rules import legal_moves, to_act
from games.newgame.template.state import NewGameState


class NewGameView(View, frozen=True, kw_only=True):
    """``laid`` is the trick so far, from the seat ``leader`` on; ``gone`` the tricks before."""

    options: NewGameOptions
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    leader: Seat
    laid: tuple[str, ...]
    gone: tuple[str, ...]
    tricks: tuple[int, ...]
    totals: tuple[int, ...]
    round: int


def view(state: NewGameState, seat: Seat | None) -> NewGameView:
    return NewGameView(
        seat=seat,
        to_act=to_act(state),
        legal_moves=() if seat is None else legal_moves(state, seat),
        options=state.options,
        hand=() if seat is None else texts(state.hands[seat]),
        hand_sizes=tuple(map(len, state.hands)),
        leader=state.leader,
        laid=texts(state.laid),
        gone=texts(state.gone),
        tricks=state.tricks,
        totals=state.totals,
        round=state.round,
    )
