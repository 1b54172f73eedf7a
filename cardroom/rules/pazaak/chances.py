"""Pazaak's luck: each card drawn from a main deck, and what the match begins with.

A draw can be one of at most ten values, so all of them are listed. The worth of a position is what
the professor expects of it for the seat that is to act.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from cardroom.rules.chances import Chances, Weighted
from cardroom.rules.pazaak.bots import professor
from cardroom.rules.pazaak.luck import added, hidden_of
from cardroom.rules.pazaak.state import PazaakState, PlayerState
from cardroom.rules.pazaak.view import view
from cardroom.rules.stream import Stream
from cardroom.rules.values import Move, Seat


def falls(state: PazaakState, _seat: Seat, move: Move) -> bool:
    if state.options.stand_timing == "turn_end":  # the next seat draws by itself
        return move in ("end", "stand")
    return move == "draw"


def again(state: PazaakState, rng: Random) -> PazaakState:
    first, second = (_shuffled(state, half, rng) for half in state.halves)
    return replace(state, halves=(first, second))


def _shuffled(state: PazaakState, half: PlayerState, rng: Random) -> PlayerState:
    hidden = hidden_of(state, half)
    main = (*rng.sample(hidden, len(hidden)), *half.main[len(hidden) :])
    return replace(half, main=main)


def each(state: PazaakState, seat: Seat, move: Move) -> Sequence[Weighted[PazaakState]]:
    if move != "draw":
        return ()
    half = state.halves[seat]
    hidden = hidden_of(state, half)
    return [
        (count / len(hidden), _with_top(state, seat, hidden.index(value)))
        for value, count in sorted(Counter(hidden).items())
    ]


def _with_top(state: PazaakState, seat: Seat, at: int) -> PazaakState:
    """The card of this place and the top one have changed places."""
    main = list(state.halves[seat].main)
    main[0], main[at] = main[at], main[0]
    half = replace(state.halves[seat], main=tuple(main))
    halves = (half, state.halves[1]) if seat == 0 else (state.halves[0], half)
    return replace(state, halves=halves)


def worth(state: PazaakState) -> Sequence[float]:
    seat = state.to_act
    if seat is None:
        raise ValueError("The match is over.")
    weighed = professor.weigh(view(state, seat), (), Stream(0), 1)
    chance = max(means[0] for means in weighed.means)
    return (chance, 1 - chance) if seat == 0 else (1 - chance, chance)


CHANCES: Final[Chances[PazaakState]] = Chances(falls, again, worth, each, added=added)
