"""The view of a seat (rules §5), and the cards dealt again when its past is played on.

Nobody looks into a pile, not even into its own, so all seats know the same, except a taker that
is choosing the order of its trick (`collect_order` arbitrary): it sees every card of it.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, Literal

import msgspec

from cardroom.rules.cards import CARD, TEXT, pack
from cardroom.rules.defaults import cards_of
from cardroom.rules.pyanitsa.events import Dealt, Recycled, TrickTaken, shown_by
from cardroom.rules.pyanitsa.options import PyanitsaOptions
from cardroom.rules.pyanitsa.rules import is_over, legal_moves, to_act
from cardroom.rules.pyanitsa.state import Laid, Piles, PyanitsaState
from cardroom.rules.values import Event, HistoryStep, Pinned, Seat, View

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


# A possible world behind a view, for bots that search.
#
# Facts for a re-deal of Pyanitsa beside the cards that were named (FORMAT.md §2, loaded matches).
#
# Of a deck only the cards are known that were turned up after it was dealt. So each deck (the
# deal, every shuffled won pile, every shuffled trick) keeps the cards shown later, and the others
# are dealt again. Exchanging cards that were not shown since changes nothing that anybody saw, so
# the moves of the past stay valid.


def imagine(view: PyanitsaView, rng: Random, events: Sequence[Event] = ()) -> PyanitsaState:
    """A possible world: the cards not on show are dealt at random into the piles.

    A card that the events show is in play, so it is not among those set aside. The piles lie in
    another order each time.
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
    return Laid(seat=laid.seat, card=card, level=laid.level, face_down=laid.face_down)


WHY_COLLECTED_CARDS_STAY: Final = (
    "The move that collected the trick names the cards that lay face down, and it stays as it was."
)

_cards = cards_of(PyanitsaState)


def redeal_suffices(state: PyanitsaState, steps: Sequence[HistoryStep]) -> bool:
    """Everybody saw every card in these steps, so none of an older deck is unknown.

    A match may go round for ever; where the cards lie follows from its last tricks.
    """
    events = [event.seen_by(None) for step in steps for event in step.events]
    shown = {CARD[code] for event in events for code in shown_by(event)}
    return any(isinstance(e, TrickTaken) for e in events) and shown >= set(_cards(state))


def deals(state: PyanitsaState, event: Event) -> bool:
    if isinstance(event, Recycled):
        return state.options.recycle == "shuffle"
    if isinstance(event, TrickTaken):
        return state.options.collect_order == "random"
    return isinstance(event, Dealt)


def pinned(state: PyanitsaState, history: Sequence[HistoryStep]) -> tuple[Pinned, ...]:
    """A card that a taker saw face down and collected stays (`collect_order` arbitrary).

    While that move is not made yet, only the taker itself knows the card.
    """
    if state.options.collect_order != "arbitrary":
        return ()
    last_collected = dict(_collected(state, history))
    decks = [deck for step in history for deck in step.decks]
    positions = [
        (index, tuple([at for at, card in enumerate(deck) if last_collected.get(card, 0) > index]))
        for index, deck in enumerate(decks)
    ]
    pins = tuple([(index, places) for index, places in positions if places])
    return (Pinned(WHY_COLLECTED_CARDS_STAY, pins),) if pins else ()


def _collected(
    state: PyanitsaState, history: Sequence[HistoryStep]
) -> Iterator[tuple[int | str, int]]:
    """Each card collected from face down, with the number of decks that had been dealt by then."""
    events = [event for step in history for event in step.events]
    if state.taker is not None:
        last = max(at for at, event in enumerate(events) if isinstance(event, TrickTaken))
        events[last] = events[last].seen_by(None)
    dealt = 0
    for event in events:
        dealt += deals(state, event)
        if isinstance(event, TrickTaken):
            for code in event.face_down or ():
                yield CARD[code], dealt
