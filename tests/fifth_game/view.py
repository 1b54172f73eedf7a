from collections.abc import Sequence
from random import Random

from games.rules.cards import CARD, pack, texts
from games.rules.values import Event, Seat, View
from tests.fifth_game.options import HighCardOptions
from tests.fifth_game.rules import legal_moves, to_act
from tests.fifth_game.state import HighCardState


class HighCardView(View, frozen=True, kw_only=True):
    """``laid`` is the trick so far, from the seat ``leader`` on; ``gone`` the tricks before."""

    players: int
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
        players=state.options.players,
        hand=() if seat is None else texts(state.hands[seat]),
        hand_sizes=tuple(map(len, state.hands)),
        leader=state.leader,
        laid=texts(state.laid),
        gone=texts(state.gone),
        tricks=state.tricks,
    )


def imagine(seen: HighCardView, rng: Random, _events: Sequence[Event] = ()) -> HighCardState:
    known = [CARD[text] for text in (*seen.hand, *seen.laid, *seen.gone)]
    unseen = [card for card in pack(36) if card not in known]
    rng.shuffle(unseen)
    hands = [
        tuple(CARD[text] for text in seen.hand)
        if seat == seen.seat
        else tuple(unseen.pop() for _ in range(size))
        for seat, size in enumerate(seen.hand_sizes)
    ]
    laid, gone = (tuple(CARD[t] for t in lay) for lay in (seen.laid, seen.gone))
    options = HighCardOptions(players=seen.players)
    return HighCardState(options, tuple(hands), tuple(unseen), seen.leader, laid, gone, seen.tricks)
