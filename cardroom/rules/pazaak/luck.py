"""What a drawn card is worth to the seat that draws it, above the mean of all it may draw.

The professor's table says what each card leads to, all in one go: what it weighs a draw by.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from msgspec.structs import replace

from cardroom.rules.pazaak import turn
from cardroom.rules.pazaak.bots.learned import table_of, within_reach
from cardroom.rules.pazaak.bots.outlook import Sight
from cardroom.rules.pazaak.bots.position import position_of
from cardroom.rules.pazaak.bots.professor import Known
from cardroom.rules.pazaak.bots.reading import READING, stage_of
from cardroom.rules.pazaak.bots.weighing import HIGHEST, Workspace, weigh_draws
from cardroom.rules.pazaak.state import PazaakState, PlayerState
from cardroom.rules.pazaak.view import view
from cardroom.rules.shuffles import seeded
from cardroom.rules.steps import StepBuilder
from cardroom.rules.values import Move, Seat

Worths = Callable[[Known], list[float]]


def hidden_of(state: PazaakState, half: PlayerState) -> Sequence[int]:
    """The main deck without the bottom card, which was shown in round 1 (R6)."""
    return half.main[: len(half.main) - (state.round_no == 1)]


def worths_of_draws(known: Known) -> list[float]:
    worths = [0.0] * (HIGHEST + 1)
    weigh_draws(worths, Workspace([known.world], [known.sight], [], table_of(known.world)))
    return worths


def added(
    before: PazaakState | None,
    _after: PazaakState,
    seat: Seat,
    move: Move,
    _bots: Sequence[str],
    _rng: Random,
    worths_of: Worths = worths_of_draws,
) -> Sequence[float]:
    drawing = None if before is None else before_the_draw(before, seat, move)
    if drawing is None or drawing.to_act is None:
        return 0.0, 0.0
    drawer = drawing.to_act
    hidden = hidden_of(drawing, drawing.halves[drawer])
    known = Known(within_reach(position_of(view(drawing, drawer), drawer)), Sight())
    counts = Counter(hidden)
    for value, count in counts.items():
        known.sight.unseen[value] = count
    line = READING.at(stage_of(known.world, drawer))
    worths = [line.read(worth) for worth in worths_of(known)]
    mean = sum(count * worths[value] for value, count in counts.items()) / len(hidden)
    luck = worths[hidden[0]] - mean
    return (luck, -luck) if drawer == 0 else (-luck, luck)


def before_the_draw(state: PazaakState, seat: Seat, move: Move) -> PazaakState | None:
    """Where the seat to act draws its next card, once this move is made; ``None`` if it draws none
    in this round. Under ``turn_end`` (R7) it has no choice."""
    if move == "draw":
        return state
    waiting = replace(state, options=replace(state.options, stand_timing="turn_start"))
    step = StepBuilder(seeded(Random(0)))  # a round that ends may deal the next one
    if move == "stand":
        after = turn.end_turn(turn.stand(waiting, seat, step, auto=False), seat, step)
    else:
        after = turn.close_turn(waiting, seat, step)
    if after.round_no != state.round_no or after.phase == "over":
        return None
    return replace(after, options=state.options)
