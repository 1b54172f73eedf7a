"""Taking a trick: the order in which the cards are put away, who is out, who leads next."""

from msgspec.structs import replace

from cardroom.rules.cards import TEXT
from cardroom.rules.pyanitsa.events import SeatOut, TakenBy, TrickTaken
from cardroom.rules.pyanitsa.score import finish, is_last
from cardroom.rules.pyanitsa.state import Pile, PyanitsaState
from cardroom.rules.seats import next_seat, set_item
from cardroom.rules.steps import StepBuilder
from cardroom.rules.values import Seat


def take(state: PyanitsaState, taker: Seat, reason: TakenBy, step: StepBuilder) -> PyanitsaState:
    """The table goes to ``taker``, which first chooses an order under `collect_order` arbitrary."""
    table = state.table
    if state.options.collect_order == "arbitrary":
        hidden = tuple([TEXT[laid.card] for laid in table if laid.face_down])
        step.emit(TrickTaken(seat=taker, count=len(table), reason=reason, face_down=hidden))
        return replace(state, to_lay=(), taker=taker)
    step.emit(TrickTaken(seat=taker, count=len(table), reason=reason))
    return put_away(state, taker, _in_order(state, taker, step), step)


def _in_order(state: PyanitsaState, taker: Seat, step: StepBuilder) -> Pile:
    """The table cards as they go into the pile (R13, `collect_order`)."""
    order, table = state.options.collect_order, state.table
    as_laid = tuple([laid.card for laid in table])
    if order == "random":
        return tuple(step.shuffle(as_laid))
    if order == "own_first":
        own = tuple([laid.card for laid in table if laid.seat == taker])
        return own + tuple([laid.card for laid in table if laid.seat != taker])
    return as_laid


def put_away(state: PyanitsaState, taker: Seat, cards: Pile, step: StepBuilder) -> PyanitsaState:
    """The cards are in the taker's pile: the trick is over."""
    draw, won = state.draw, state.won
    if state.options.collect_to == "bottom":
        draw = set_item(draw, taker, draw[taker] + cards)
    else:
        won = set_item(won, taker, won[taker] + cards)
    after = replace(
        state,
        draw=draw,
        won=won,
        out_in=_leave(state, taker, step),
        to_lay=(),
        table=(),
        level=0,
        disputing=(),
        mortgage=False,
        taker=None,
    )
    return finish(after, step) if is_last(after) else _new_trick(after, taker)


def _leave(state: PyanitsaState, taker: Seat, step: StepBuilder) -> tuple[int, ...]:
    """R14: every seat without cards is out now, and not earlier."""
    draw, won, out_in = state.draw, state.won, state.out_in
    if all(draw):  # most often
        return out_in
    leaving = [
        seat
        for seat, out in enumerate(out_in)
        if not (draw[seat] or won[seat] or out or seat == taker)
    ]
    for seat in leaving:
        step.emit(SeatOut(seat=seat, trick_no=state.trick_no))
        out_in = set_item(out_in, seat, state.trick_no)
    return out_in


def _new_trick(state: PyanitsaState, taker: Seat) -> PyanitsaState:
    """An empty table and everybody still in it to lay, the leader first."""
    to_lay = turn_order(_next_leader(state, taker), state.out_in)
    return replace(state, leader=to_lay[0], trick_no=state.trick_no + 1, to_lay=to_lay)


def _next_leader(state: PyanitsaState, taker: Seat) -> Seat:
    """The seat that leads if it is still in, or else the next one after it (R7, `leader`)."""
    match state.options.leader:
        case "winner":
            return taker  # it always has cards
        case "fixed":
            return 0
        case "rotate":
            return next_seat(state.leader, len(state.out_in))


def turn_order(first: Seat, out_in: tuple[int, ...]) -> tuple[Seat, ...]:
    """The seats still in, in turn order from ``first`` on (R7)."""
    seats = (*range(first, len(out_in)), *range(first))
    return tuple([seat for seat in seats if not out_in[seat]])
