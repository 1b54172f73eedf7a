"""When a match is over, who won and who came in where (R15, R16, `goal`)."""

from cardroom.rules.pyanitsa.events import EndedBy, MatchOver
from cardroom.rules.pyanitsa.state import PyanitsaState, card_count
from cardroom.rules.seats import places, winners
from cardroom.rules.steps import StepBuilder
from cardroom.rules.values import Seat


def is_over(state: PyanitsaState) -> bool:
    return not state.to_lay and state.taker is None


def is_last(state: PyanitsaState) -> bool:
    """Whether the trick just taken was the last one."""
    return ended_by(state) != "limit" or state.trick_no >= state.options.max_tricks


def ended_by(state: PyanitsaState) -> EndedBy:
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
    step.emit(MatchOver(winners=winners(ranked), reason=ended_by(state), places=ranked))
    return state
