"""What a seat may know (rules §5), and a world that may lie behind it.

Nobody looks into a pile, the own ones included, so all seats know the same, but for a taker
who is choosing the order of its trick (`collect_order` arbitrary): it sees every card of it.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal

import msgspec

from games.rules.cards import CARD, TEXT, pack
from games.rules.pyanitsa.ending import is_over
from games.rules.pyanitsa.events import shown_by
from games.rules.pyanitsa.options import PyanitsaOptions
from games.rules.pyanitsa.rules import legal_moves, to_act
from games.rules.pyanitsa.state import Laid, Piles, PyanitsaState
from games.rules.values import Event, Seat, View

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
                laid.seat,
                TEXT[laid.card] if sees_all or not laid.face_down else None,
                laid.level,
                laid.face_down,
            )
            for laid in state.table
        ]
    )


def imagine(view: PyanitsaView, rng: Random, events: Sequence[Event] = ()) -> PyanitsaState:
    """A possible world: the cards not on show are dealt at random into the piles.

    A card that was shown earlier is in play, so of the events it is used that none of these is
    set aside. The order of the piles is imagined anew each time.
    """
    on_show = {CARD[laid.card] for laid in view.table if laid.card is not None}
    unseen = [card for card in pack(view.options.deck) if card not in on_show]
    rng.shuffle(unseen)
    shown_before = {CARD[code] for event in events for code in shown_by(event)}
    unseen.sort(key=shown_before.__contains__)
    aside, rest = unseen[: view.set_aside], unseen[view.set_aside :]
    rng.shuffle(rest)
    cards = iter(rest)
    return PyanitsaState(
        options=view.options,
        draw=_piles(view.draw_counts, cards),
        won=_piles(view.won_counts, cards),
        aside=tuple(aside),
        leader=view.leader,
        trick_no=view.trick_no,
        out_in=view.out_in,
        to_lay=view.to_lay,
        table=tuple([_imagined(laid, cards) for laid in view.table]),
        level=view.level,
        disputing=view.disputing,
        mortgage=view.mortgage,
        taker=view.taker,
    )


def _piles(counts: Sequence[int], cards: Iterator[int]) -> Piles:
    return tuple([tuple([next(cards) for _ in range(count)]) for count in counts])


def _imagined(laid: TableCard, cards: Iterator[int]) -> Laid:
    card = next(cards) if laid.card is None else CARD[laid.card]
    return Laid(laid.seat, card, laid.level, laid.face_down)
