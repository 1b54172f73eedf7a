"""Turning up the next card, comparing the cards of a level, disputing equal ones (R5 to R12)."""

from msgspec.structs import replace

from cardroom.rules.cards import TEXT
from cardroom.rules.pyanitsa.events import CardLaid, Dispute, Recycled
from cardroom.rules.pyanitsa.options import low_rank
from cardroom.rules.pyanitsa.predicates import highest
from cardroom.rules.pyanitsa.state import Laid, Pile, PyanitsaState, card_count
from cardroom.rules.pyanitsa.trick import take
from cardroom.rules.seats import set_item
from cardroom.rules.steps import StepBuilder
from cardroom.rules.values import Seat

_OPEN = (False,)
_DOWN = (True,)
_DOWN_AND_OPEN = (True, False)


def lay(state: PyanitsaState, seat: Seat, step: StepBuilder) -> PyanitsaState:
    """What ``seat`` has to lay now is on the table; after the last seat the level is settled."""
    draw, won, table, level = state.draw[seat], state.won[seat], state.table, state.level
    for face_down in _faces(state, seat):
        if not draw:
            draw, won = _recycle(state.options.recycle, won, step), ()
            step.emit(Recycled(seat=seat, count=len(draw)))
        card, draw = draw[0], draw[1:]
        table = (*table, Laid(seat=seat, card=card, level=level, face_down=face_down))
        step.emit(CardLaid(seat=seat, card=None if face_down else TEXT[card], level=level))
    after = replace(
        state,
        draw=set_item(state.draw, seat, draw),
        won=state.won if won is state.won[seat] else set_item(state.won, seat, won),
        to_lay=state.to_lay[1:],
        table=table,
    )
    return after if after.to_lay else _settle(after, step)


def _faces(state: PyanitsaState, seat: Seat) -> tuple[bool, ...]:
    """Which of the cards to lay lie face down; a seat short of two lays its one so (`loses`)."""
    if not state.mortgage:
        return _OPEN
    return _DOWN_AND_OPEN if card_count(state, seat) > 1 else _DOWN


def _recycle(how: str, won: Pile, step: StepBuilder) -> Pile:
    """The won pile turned over (R6, `recycle`)."""
    if how == "shuffle":
        return tuple(step.shuffle(won))
    return won[::-1] if how == "lifo" else won


def _settle(state: PyanitsaState, step: StepBuilder) -> PyanitsaState:
    """All have laid at this level: its open cards, and only these, are compared (R8, R11)."""
    level, options = state.level, state.options
    shown = [laid for laid in state.table if laid.level == level and not laid.face_down]
    if not shown:  # short_dispute loses: all have dropped out
        return take(state, state.disputing[0], "no_cards", step)
    best = highest([laid.card for laid in shown], low_rank(options), options.jokers == "ranked")
    if len(best) == 1:
        return take(state, shown[best[0]].seat, "dispute_won" if level else "highest", step)
    return _dispute(state, tuple([shown[place].seat for place in best]), step)


def _dispute(state: PyanitsaState, seats: tuple[Seat, ...], step: StepBuilder) -> PyanitsaState:
    """The next level among ``seats``, which are in turn order (R9, R10, `short_dispute`)."""
    level, mortgage = state.level + 1, _is_mortgage(state, seats)
    step.emit(Dispute(level=level, seats=seats, mortgage=mortgage))
    short = [seat for seat in seats if not card_count(state, seat)]
    if short and state.options.short_dispute == "takes_all":
        return take(state, short[0], "no_cards", step)  # R10
    to_lay = tuple([seat for seat in seats if seat not in short])
    if not to_lay:  # short_dispute loses: nobody has a card to drop out with
        return take(state, seats[0], "no_cards", step)
    return replace(state, to_lay=to_lay, level=level, disputing=seats, mortgage=mortgage)


def _is_mortgage(state: PyanitsaState, seats: tuple[Seat, ...]) -> bool:
    """A seat with one card turns mortgage off for all, unless being short of cards loses."""
    if state.options.dispute == "open":
        return False
    all_have_two = all(card_count(state, seat) > 1 for seat in seats)
    return all_have_two or state.options.short_dispute == "loses"
