"""How a round ends: who won it, and whether that decides the match (R18 to R24)."""

from msgspec.structs import replace

from cardroom.rules.pazaak.events import MatchOver, Reason, RoundOver
from cardroom.rules.pazaak.predicates import has_tiebreaker
from cardroom.rules.pazaak.state import PazaakState
from cardroom.rules.steps import StepBuilder
from cardroom.rules.values import Seat


def compare(state: PazaakState) -> tuple[Seat | None, Reason]:
    """Both stand: the higher total wins (R21), a tiebreaker breaks a tie (R22)."""
    first, second = state.halves
    if first.total != second.total:
        return int(second.total > first.total), "outscore"
    scope = state.options.tiebreaker_scope
    has_first, has_second = (has_tiebreaker(player.board, scope) for player in state.halves)
    if has_first == has_second:
        return None, "tie"
    return int(has_second), "tiebreaker"


def finish(
    state: PazaakState, winner: Seat | None, reason: Reason, step: StepBuilder
) -> PazaakState:
    """The round is over (R18-R23); ``over`` stays the phase if that was the match (R24)."""
    wins = (state.wins[0] + (winner == 0), state.wins[1] + (winner == 1))
    totals = (state.halves[0].total, state.halves[1].total)
    step.emit(RoundOver(winner=winner, reason=reason, totals=totals, wins=wins))
    finished = replace(state, wins=wins, to_act=None, phase="over")
    if is_decided(finished):
        step.emit(MatchOver(winner=leader(wins), wins=wins))
    return finished


def is_decided(state: PazaakState) -> bool:
    options = state.options
    return max(state.wins) >= options.rounds_to_win or state.round_no == options.max_rounds


def leader(wins: tuple[int, int]) -> Seat | None:
    return None if wins[0] == wins[1] else int(wins[1] > wins[0])
