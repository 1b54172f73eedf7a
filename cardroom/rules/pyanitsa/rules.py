"""A match from the deal to the last trick (rules §3).

When a match is over, who won and who came in where (R15, R16, `goal`).

Taking a trick: the order in which the cards are put away, who is out, who leads next.

Turning up the next card, comparing the cards of a level, disputing equal ones (R5 to R12).
"""

from collections.abc import Sequence

from msgspec.structs import replace

from cardroom.rules.cards import TEXT
from cardroom.rules.pyanitsa import events, predicates
from cardroom.rules.pyanitsa.options import PyanitsaOptions, low_rank
from cardroom.rules.pyanitsa.predicates import highest
from cardroom.rules.pyanitsa.state import Laid, Pile, PyanitsaState, card_count, deal
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.text import say
from cardroom.rules.values import (
    MATCH_OVER,
    IllegalMove,
    Move,
    NotYourTurn,
    Outcome,
    Seat,
    Setup,
    Step,
    StepBuilder,
    next_seat,
    places,
    set_item,
    winners,
)


def is_over(state: PyanitsaState) -> bool:
    return not state.to_lay and state.taker is None


def is_last(state: PyanitsaState) -> bool:
    """Whether the trick just taken was the last one."""
    return ended_by(state) != "limit" or state.trick_no >= state.options.max_tricks


def ended_by(state: PyanitsaState) -> events.EndedBy:
    if state.options.goal == "giveaway":
        return "gave_away" if any(state.out_in) else "limit"
    return "all_cards" if state.out_in.count(0) == 1 else "limit"  # R16: R15 comes first


def places_of(state: PyanitsaState) -> tuple[int, ...]:
    """Each seat's place; equals share one and the following places are skipped (R15)."""
    return places([_rank(state, seat) for seat in range(len(state.out_in))])


def _rank(state: PyanitsaState, seat: Seat) -> tuple[int, int]:
    """Lower is better."""
    out_in = state.out_in[seat]
    if state.options.goal == "giveaway":
        return (0, 0) if out_in else (1, card_count(state, seat))  # R16: fewer is better
    return (1, -out_in) if out_in else (0, -card_count(state, seat))


def finish(state: PyanitsaState, step: StepBuilder) -> PyanitsaState:
    """The end of the match; its one round ends with it."""
    ranked = places_of(state)
    step.emit(events.MatchOver(winners=winners(ranked), reason=ended_by(state), places=ranked))
    return state


def take(
    state: PyanitsaState, taker: Seat, reason: events.TakenBy, step: StepBuilder
) -> PyanitsaState:
    """The table goes to ``taker``, which first chooses an order under `collect_order` arbitrary."""
    table = state.table
    if state.options.collect_order == "arbitrary":
        hidden = tuple([TEXT[laid.card] for laid in table if laid.face_down])
        step.emit(events.TrickTaken(seat=taker, count=len(table), reason=reason, face_down=hidden))
        return replace(state, to_lay=(), taker=taker)
    step.emit(events.TrickTaken(seat=taker, count=len(table), reason=reason))
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
        step.emit(events.SeatOut(seat=seat, trick_no=state.trick_no))
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


_OPEN = (False,)
_DOWN = (True,)
_DOWN_AND_OPEN = (True, False)


def lay(state: PyanitsaState, seat: Seat, step: StepBuilder) -> PyanitsaState:
    """Lay the cards of ``seat`` for this level; after the last seat the level is settled."""
    draw, won, table, level = state.draw[seat], state.won[seat], state.table, state.level
    for face_down in _faces(state, seat):
        if not draw:
            draw, won = _recycle(state.options.recycle, won, step), ()
            step.emit(events.Recycled(seat=seat, count=len(draw)))
        card, draw = draw[0], draw[1:]
        table = (*table, Laid(seat=seat, card=card, level=level, face_down=face_down))
        step.emit(events.CardLaid(seat=seat, card=None if face_down else TEXT[card], level=level))
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
    step.emit(events.Dispute(level=level, seats=seats, mortgage=mortgage))
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


_FLIPS = (predicates.FLIP,)


def start(
    options: PyanitsaOptions, _setups: Sequence[Setup], shuffle: Shuffle
) -> Step[PyanitsaState]:
    step = StepBuilder(shuffle)
    return step.done(deal(options, step))


def to_act(state: PyanitsaState) -> tuple[Seat, ...]:
    return state.to_lay[:1] if state.taker is None else (state.taker,)


def legal_moves(state: PyanitsaState, seat: Seat) -> tuple[Move, ...]:
    """`flip`; or the collection as laid, which stands for every order of the same cards."""
    if state.to_lay:
        return _FLIPS if seat == state.to_lay[0] else ()
    if state.taker is None or seat != state.taker:
        return ()
    return (predicates.text([laid.card for laid in state.table]),)


def play(state: PyanitsaState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[PyanitsaState]:
    order = predicates.parse(move)
    if seat not in to_act(state):
        raise NotYourTurn(MATCH_OVER) if is_over(state) else NotYourTurn
    step = StepBuilder(shuffle)
    after = _flip(state, seat, step) if order is None else _collect(state, seat, order, step)
    if after.to_lay or not is_over(after):
        return step.done(after, move)
    return step.done(after, move, scores=places_of(after))


def _flip(state: PyanitsaState, seat: Seat, step: StepBuilder) -> PyanitsaState:
    if state.taker is not None:
        sentence = say("The trick is yours: collect its cards before anybody lays again.")
        raise IllegalMove("collect_first", sentence)
    return lay(state, seat, step)


def _collect(
    state: PyanitsaState, seat: Seat, order: tuple[int, ...], step: StepBuilder
) -> PyanitsaState:
    if state.taker is None:
        sentence = say("There is no trick to collect: flip a card.")
        raise IllegalMove("nothing_to_collect", sentence)
    table = [laid.card for laid in state.table]
    if sorted(order) != sorted(table):
        sentence = say(
            "Collect the cards of this trick, each once, in any order: {move}.",
            move=predicates.text(table),
        )
        raise IllegalMove("not_the_trick", sentence)
    return put_away(state, seat, order, step)


def outcome(state: PyanitsaState) -> Outcome | None:
    """The result once the match is over; the points are the places, so less is better."""
    if not is_over(state):
        return None
    ranked = places_of(state)
    return Outcome(winners=winners(ranked), points=ranked, reason=ended_by(state), places=ranked)


def autoplays(state: PyanitsaState, seat: Seat) -> bool:
    """`pace` auto: the table turns cards up for the seat; a collection is the seat's own."""
    return state.options.pace == "auto" and state.to_lay[:1] == (seat,)


def retired_seats(state: PyanitsaState) -> frozenset[Seat]:
    return frozenset(seat for seat, trick_no in enumerate(state.out_in) if trick_no)
