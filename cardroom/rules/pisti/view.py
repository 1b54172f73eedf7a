"""The view of one seat, or of a spectator, of a Pişti match (rules §5)."""

from typing import Literal

from cardroom.rules.cards import TEXT, texts
from cardroom.rules.pisti.options import PistiOptions, sides, starter_of
from cardroom.rules.pisti.rules import legal_moves, to_act
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.values import Seat, View


class PistiView(View, frozen=True, kw_only=True, gc=False):
    """A seat's sight of the table; ``seat`` is null for a spectator.

    - ``options``: the rules of this match, every option with its value.
    - ``phase``: ``playing``, or ``over`` once the match is decided.
    - ``deal_no``: number of the deal, from 1; it is also the number of the round.
    - ``dealer``, ``starter``: the seat that plays last and the one that plays first in this deal.
    - ``plays_made``: cards played in this deal, 0 to 48.
    - ``hand``: the seat's own cards in the order dealt; empty for a spectator.
    - ``hand_sizes``: cards in hand, by seat.
    - ``top``: the card on top of the centre pile, null when the table is empty.
    - ``face_down``: how many cards of the first centre still lie face down under the pile.
    - ``pile_size``: cards in the centre pile; null with ``show_counts`` off.
    - ``heap_sizes``: captured cards, by seat; null with ``show_counts`` off.
    - ``stock_size``: cards not yet dealt.
    - ``bottom_card``: the exposed last card of this deal's pack, null when it is hidden.
    - ``last_capturer``: the seat that captured last in this deal, null before the first capture.
    - ``sides``: the seats of each side; the lists below have one number a side.
    - ``pistis``, ``doubles``: piştis and double piştis in this deal.
    - ``totals``: match points of the deals already scored.
    """

    options: PistiOptions
    phase: Literal["playing", "over"]
    deal_no: int
    dealer: Seat
    starter: Seat
    plays_made: int
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    top: str | None
    face_down: int
    pile_size: int | None
    heap_sizes: tuple[int, ...] | None
    stock_size: int
    bottom_card: str | None
    last_capturer: Seat | None
    sides: tuple[tuple[Seat, ...], ...]
    pistis: tuple[int, ...]
    doubles: tuple[int, ...]
    totals: tuple[int, ...]


def view(state: PistiState, seat: Seat | None) -> PistiView:
    options = state.options
    counted = options.show_counts
    return PistiView(
        seat=seat,
        to_act=to_act(state),
        legal_moves=() if seat is None else legal_moves(state, seat),
        options=options,
        phase="over" if state.over else "playing",
        deal_no=state.deal_no,
        dealer=state.dealer,
        starter=starter_of(options, state.deal_no),
        plays_made=state.plays_made,
        hand=() if seat is None else texts(state.hands[seat]),
        hand_sizes=tuple(map(len, state.hands)),
        top=TEXT[state.pile[-1]] if state.pile else None,
        face_down=state.face_down,
        pile_size=len(state.pile) if counted else None,
        heap_sizes=tuple(map(int.bit_count, state.heaps)) if counted else None,
        stock_size=len(state.stock),
        bottom_card=None if state.bottom is None else TEXT[state.bottom],
        last_capturer=state.last_capturer,
        sides=sides(options),
        pistis=state.pistis,
        doubles=state.doubles,
        totals=state.totals,
    )
