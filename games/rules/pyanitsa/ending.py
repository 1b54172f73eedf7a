"""When a match is over, who won and who came in where (R15, R16, `goal`)."""

from games.rules.pyanitsa.events import EndedBy, Events, MatchOver
from games.rules.pyanitsa.state import PyanitsaState, held
from games.rules.values import Outcome, Step


def is_over(state: PyanitsaState) -> bool:
    return not state.to_lay and state.taker is None


def must_end(state: PyanitsaState) -> bool:
    """Whether the trick just taken was the last one."""
    return ended_by(state) != "limit" or state.trick_no >= state.options.max_tricks


def ended_by(state: PyanitsaState) -> EndedBy:
    if state.options.goal == "giveaway":
        return "gave_away" if any(state.out_in) else "limit"
    return "all_cards" if state.out_in.count(0) == 1 else "limit"  # R16: R15 comes first


def places(state: PyanitsaState) -> tuple[int, ...]:
    """Each seat's place; equals share one and the following places are skipped (R15)."""
    marks = [_mark(state, seat) for seat in range(len(state.out_in))]
    return tuple([1 + sum(other < mark for other in marks) for mark in marks])


def _mark(state: PyanitsaState, seat: int) -> tuple[int, int]:
    """Lower is better."""
    out_in = state.out_in[seat]
    if state.options.goal == "giveaway":
        return (0, 0) if out_in else (1, held(state, seat))  # R16: fewer is better
    return (1, -out_in) if out_in else (0, -held(state, seat))


def outcome(state: PyanitsaState) -> Outcome | None:
    """The result once the match is over; the points are the places, so less is better."""
    if not is_over(state):
        return None
    ranked = places(state)
    winners = tuple([seat for seat, place in enumerate(ranked) if place == 1])
    return Outcome(winners, ranked, ended_by(state), ranked)


def end(state: PyanitsaState, events: Events) -> Step[PyanitsaState]:
    """The last step of a match; its one round ends with it."""
    ranked = places(state)
    winners = tuple([seat for seat, place in enumerate(ranked) if place == 1])
    events.append(MatchOver(winners, ended_by(state), ranked))
    return Step(state, tuple(events), scores=ranked)
