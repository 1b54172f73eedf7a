"""Taking a trick: in which order the cards are put away, who is out, who leads next."""

from games.rules.cards import TEXT
from games.rules.pyanitsa import ending
from games.rules.pyanitsa.events import Events, SeatOut, TakenBy, TrickTaken
from games.rules.pyanitsa.state import Laid, Pile, PyanitsaState, circle, put, turn_order
from games.rules.shuffles import Shuffle
from games.rules.values import Seat, Step


def take(
    state: PyanitsaState, taker: Seat, reason: TakenBy, events: Events, shuffle: Shuffle
) -> Step[PyanitsaState]:
    """The table goes to ``taker``, which first chooses an order under `collect_order` arbitrary."""
    if state.options.collect_order == "arbitrary":
        events.append(TrickTaken(taker, len(state.table), reason, _face_down(state.table)))
        return Step(_choosing(state, taker), tuple(events))
    events.append(TrickTaken(taker, len(state.table), reason))
    return put_away(state, taker, _in_order(state, taker, shuffle), events)


def _face_down(table: tuple[Laid, ...]) -> tuple[str, ...]:
    return tuple([TEXT[laid.card] for laid in table if laid.face_down])


def _choosing(state: PyanitsaState, taker: Seat) -> PyanitsaState:
    return PyanitsaState(
        state.options, state.draw, state.won, state.aside, state.leader, state.trick_no,
        state.out_in, (), state.table, state.level, state.disputing, state.mortgage, taker,
    )  # fmt: skip


def _in_order(state: PyanitsaState, taker: Seat, shuffle: Shuffle) -> Pile:
    """The table cards as they go into the pile (R13, `collect_order`)."""
    order, table = state.options.collect_order, state.table
    as_laid = tuple([laid.card for laid in table])
    if order == "random":
        return tuple(shuffle(as_laid))
    if order == "own_first":
        own = tuple([laid.card for laid in table if laid.seat == taker])
        return own + tuple([laid.card for laid in table if laid.seat != taker])
    return as_laid


def put_away(state: PyanitsaState, taker: Seat, cards: Pile, events: Events) -> Step[PyanitsaState]:
    """The cards are in the taker's pile: the trick is over."""
    draw, won = state.draw, state.won
    if state.options.collect_to == "bottom":
        draw = put(draw, taker, draw[taker] + cards)
    else:
        won = put(won, taker, won[taker] + cards)
    out_in = _leave(state, taker, events)
    taken = PyanitsaState(
        state.options, draw, won, state.aside, state.leader, state.trick_no, out_in, ()
    )
    if ending.must_end(taken):
        return ending.end(taken, events)
    leader = _next_leader(taken, taker)
    following = circle(state.options, draw, won, state.aside, leader, state.trick_no + 1, out_in)
    return Step(following, tuple(events))


def _leave(state: PyanitsaState, taker: Seat, events: Events) -> tuple[int, ...]:
    """R14: every seat without cards is out now, and not earlier."""
    draw, won, out_in = state.draw, state.won, state.out_in
    leaving = [
        seat
        for seat in range(len(out_in))
        if not draw[seat] and not won[seat] and not out_in[seat] and seat != taker
    ]
    if not leaving:
        return out_in
    events.extend([SeatOut(seat, state.trick_no) for seat in leaving])
    return tuple([state.trick_no if seat in leaving else n for seat, n in enumerate(out_in)])


def _next_leader(state: PyanitsaState, taker: Seat) -> Seat:
    rule = state.options.leader
    if rule == "winner":
        return taker  # R7: it always has cards
    if rule == "fixed":
        return turn_order(0, state.out_in)[0]
    return turn_order((state.leader + 1) % len(state.out_in), state.out_in)[0]
