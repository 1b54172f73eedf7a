"""A match from the deal to the last trick (rules §3)."""

from collections.abc import Sequence

from cardroom.rules.errors import MATCH_OVER, IllegalMove, NotYourTurn
from cardroom.rules.pyanitsa import moves
from cardroom.rules.pyanitsa.deal import deal
from cardroom.rules.pyanitsa.options import PyanitsaOptions
from cardroom.rules.pyanitsa.score import ended_by, is_over, places_of
from cardroom.rules.pyanitsa.state import PyanitsaState
from cardroom.rules.pyanitsa.trick import put_away
from cardroom.rules.pyanitsa.turn import lay
from cardroom.rules.seats import winners
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.steps import StepBuilder
from cardroom.rules.text import say
from cardroom.rules.values import Move, Outcome, Seat, Setup, Step

_FLIPS = (moves.FLIP,)


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
    return (moves.text([laid.card for laid in state.table]),)


def play(state: PyanitsaState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[PyanitsaState]:
    order = moves.parse(move)
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
            move=moves.text(table),
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
