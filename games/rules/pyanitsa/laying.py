"""Turning up the next card, or two of them in a mortgage level (R5 to R7, R11)."""

from games.rules.cards import TEXT
from games.rules.pyanitsa.disputes import settle
from games.rules.pyanitsa.events import CardLaid, Events, Recycled
from games.rules.pyanitsa.state import Laid, Pile, PyanitsaState, held, put
from games.rules.shuffles import Shuffle
from games.rules.values import Seat, Step

_OPEN = (False,)
_DOWN = (True,)
_DOWN_AND_OPEN = (True, False)


def lay(state: PyanitsaState, seat: Seat, shuffle: Shuffle) -> Step[PyanitsaState]:
    """What ``seat`` has to lay now is on the table; after the last seat the level is settled."""
    draw, won, table, level = state.draw[seat], state.won[seat], state.table, state.level
    events: Events = []
    for face_down in _faces(state, seat):
        if not draw:
            draw, won = _recycle(state.options.recycle, won, shuffle), ()
            events.append(Recycled(seat, len(draw)))
        card, draw = draw[0], draw[1:]
        table = (*table, Laid(seat, card, level, face_down))
        events.append(CardLaid(seat, None if face_down else TEXT[card], level))
    all_won = state.won if won is state.won[seat] else put(state.won, seat, won)
    laid = PyanitsaState(
        state.options, put(state.draw, seat, draw), all_won, state.aside, state.leader,
        state.trick_no, state.out_in, state.to_lay[1:], table, level, state.disputing,
        state.mortgage,
    )  # fmt: skip
    return Step(laid, tuple(events)) if laid.to_lay else settle(laid, events, shuffle)


def _faces(state: PyanitsaState, seat: Seat) -> tuple[bool, ...]:
    """Which of the cards to lay lie face down; a seat short of two lays its one so (`loses`)."""
    if not state.mortgage:
        return _OPEN
    return _DOWN_AND_OPEN if held(state, seat) > 1 else _DOWN


def _recycle(how: str, won: Pile, shuffle: Shuffle) -> Pile:
    """The won pile turned over (R6, `recycle`)."""
    if how == "shuffle":
        return tuple(shuffle(won))
    return won[::-1] if how == "lifo" else won
