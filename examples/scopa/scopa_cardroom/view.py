"""The view of a seat, built from what is allowed (RULES.md §5)."""

from cardroom.rules.cards import texts
from cardroom.rules.values import Seat, View
from scopa_cardroom.options import ScopaOptions
from scopa_cardroom.predicates import cards_of
from scopa_cardroom.rules import legal_moves, to_act
from scopa_cardroom.state import ScopaState


class ScopaView(View, frozen=True, kw_only=True, gc=False):
    """A seat's sight of the table; ``seat`` is null for a spectator.

    - ``table``: the cards that lie open; ``laid``: the card whose capture is being chosen, else
      null; ``chosen``: the cards of the table that it takes for sure.
    - ``heaps``: everything that was captured in this deal, by side. It was seen by all.
    - ``sweeps``, ``totals``: scope of this deal and points of the deals before, by side.
    - ``last_capturer``: the seat that took last in this deal, null before the first capture.
    """

    options: ScopaOptions
    round: int
    leader: Seat
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    table: tuple[str, ...]
    laid: str | None
    chosen: tuple[str, ...]
    stock_size: int
    heaps: tuple[tuple[str, ...], ...]
    sweeps: tuple[int, ...]
    totals: tuple[int, ...]
    last_capturer: Seat | None
    over: bool


def view(state: ScopaState, seat: Seat | None) -> ScopaView:
    return ScopaView(
        seat=seat,
        to_act=to_act(state),
        legal_moves=() if seat is None else legal_moves(state, seat),
        options=state.options,
        round=state.round,
        leader=state.leader,
        hand=() if seat is None else texts(state.hands[seat]),
        hand_sizes=tuple(map(len, state.hands)),
        table=texts(state.table),
        laid=next(iter(texts(state.laid)), None),
        chosen=texts(state.chosen),
        stock_size=len(state.stock),
        heaps=tuple([texts(cards_of(heap)) for heap in state.heaps]),
        sweeps=state.sweeps,
        totals=state.totals,
        last_capturer=state.last_capturer,
        over=state.over,
    )
