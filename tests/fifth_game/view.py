from cardroom.rules.cards import texts
from cardroom.rules.values import Seat, View
from tests.fifth_game.rules import legal_moves, to_act
from tests.fifth_game.state import HighCardState


class HighCardView(View, frozen=True, kw_only=True):
    """``laid`` is the trick so far, from the seat ``leader`` on; ``gone`` the tricks before."""

    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    leader: Seat
    laid: tuple[str, ...]
    gone: tuple[str, ...]
    tricks: tuple[int, ...]


def view(state: HighCardState, seat: Seat | None) -> HighCardView:
    return HighCardView(
        seat=seat,
        to_act=to_act(state),
        legal_moves=() if seat is None else legal_moves(state, seat),
        hand=() if seat is None else texts(state.hands[seat]),
        hand_sizes=tuple(map(len, state.hands)),
        leader=state.leader,
        laid=texts(state.laid),
        gone=texts(state.gone),
        tricks=state.tricks,
    )
