"""What a seat may know (rules §5).

Nobody looks into a pile, not even into its own, so all seats know the same, except a taker that
is choosing the order of its trick (`collect_order` arbitrary): it sees every card of it.
"""

from typing import Literal

import msgspec

from cardroom.rules.cards import TEXT
from cardroom.rules.pyanitsa.options import PyanitsaOptions
from cardroom.rules.pyanitsa.rules import is_over, legal_moves, to_act
from cardroom.rules.pyanitsa.state import PyanitsaState
from cardroom.rules.values import Seat, View

Phase = Literal["lay", "collect", "over"]


class TableCard(msgspec.Struct, frozen=True, gc=False):
    """A card of the current trick: who laid it, at which level (0 = circle, 1, 2, … = dispute).

    ``card`` is null where it lies face down and this seat may not look.
    """

    seat: Seat
    card: str | None
    level: int
    face_down: bool


class PyanitsaView(View, frozen=True, kw_only=True, gc=False):
    """The table as one seat, or a spectator, sees it.

    * ``options``: the rules this match is played by.
    * ``phase``: ``lay``, ``collect`` (a taker chooses the order), or ``over``.
    * ``trick_no``: the trick being played, from 1; at the end the last one played.
    * ``leader``: the seat that led this trick.
    * ``table``: the cards of this trick in the order they were laid.
    * ``level``: 0 in the circle, then the number of the dispute.
    * ``disputing``: the seats in the dispute, in turn order; empty in the circle.
    * ``mortgage``: this level is laid with one card face down and one face up.
    * ``to_lay``: the seats still to lay at this level, in turn order.
    * ``taker``: the seat that collects this trick; null but in phase ``collect``.
    * ``draw_counts``, ``won_counts``: for each seat the cards in its draw and its won pile.
    * ``set_aside``: how many cards the deal left over; they take no part.
    * ``out_in``: for each seat the trick it went out in, 0 while it is in.
    """

    options: PyanitsaOptions
    phase: Phase
    trick_no: int
    leader: Seat
    table: tuple[TableCard, ...]
    level: int
    disputing: tuple[Seat, ...]
    mortgage: bool
    to_lay: tuple[Seat, ...]
    taker: Seat | None
    draw_counts: tuple[int, ...]
    won_counts: tuple[int, ...]
    set_aside: int
    out_in: tuple[int, ...]


def view(state: PyanitsaState, seat: Seat | None) -> PyanitsaView:
    return PyanitsaView(
        seat=seat,
        to_act=to_act(state),
        legal_moves=() if seat is None else legal_moves(state, seat),
        options=state.options,
        phase=_phase(state),
        trick_no=state.trick_no,
        leader=state.leader,
        table=_table(state, seat),
        level=state.level,
        disputing=state.disputing,
        mortgage=state.mortgage,
        to_lay=state.to_lay,
        taker=state.taker,
        draw_counts=tuple(map(len, state.draw)),
        won_counts=tuple(map(len, state.won)),
        set_aside=len(state.aside),
        out_in=state.out_in,
    )


def _phase(state: PyanitsaState) -> Phase:
    if is_over(state):
        return "over"
    return "lay" if state.taker is None else "collect"


def _table(state: PyanitsaState, seat: Seat | None) -> tuple[TableCard, ...]:
    sees_all = seat is not None and seat == state.taker
    return tuple(
        [
            TableCard(
                seat=laid.seat,
                card=TEXT[laid.card] if sees_all or not laid.face_down else None,
                level=laid.level,
                face_down=laid.face_down,
            )
            for laid in state.table
        ]
    )
