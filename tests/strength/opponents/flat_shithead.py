"""Plain searches for Shithead: each choice played to the end of the game in many sampled worlds.

Flat Monte Carlo: no tree, no judgement of the others by what they played. Cards that everybody saw
go into a hand are there; all others lie anywhere. All seats play on at random, or as ``keeper``
does. What counts is not to be the shed. The exchange ends as ``keeper`` ends it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from cardroom.fast.binding import empty_records, int_zeros, ints
from cardroom.fast.shithead.search import arrays_of
from cardroom.rules.bot import Bot
from cardroom.rules.search import copy_into
from cardroom.rules.shithead.bots.belief import Known, believed, deal_unknown
from cardroom.rules.shithead.bots.playouts import LONGEST
from cardroom.rules.shithead.bots.searcher import choice_of
from cardroom.rules.shithead.bots.simple import escapes_repetition, keepers_turn, swap
from cardroom.rules.shithead.bots.world import (
    MOST,
    ShitheadWorld,
    holds_most,
    is_over,
    make,
    play_any,
)
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event, Move
from tests.strength.opponents.plain import Playouts, compared, flat_bot, liked

RANDOM_LONGEST = 2000  # turns; playouts at random pick the pile up again and again


class Workspace(NamedTuple):
    """A sampled world and one to play; the choices to compare, and those of a seat."""

    sampled: list[ShitheadWorld]
    playing: list[ShitheadWorld]
    choices: list[int]
    fresh: list[int]
    is_random: int


def play_worlds(
    rng: Random,
    worlds: int,
    moves: list[int],
    totals: list[float],
    known: Known,
    workspace: Workspace,
) -> None:
    """Plays each of these choices to the end of the game in so many worlds."""
    for _ in range(worlds):
        copy_into(workspace.sampled, 0, known.worlds[0])
        deal_unknown(rng, known, workspace.sampled[0])
        for nth in range(len(moves)):
            copy_into(workspace.playing, 0, workspace.sampled[0])
            world = workspace.playing[0]
            make(world, workspace.choices[moves[nth]])
            play_on(rng, world, workspace.fresh, workspace.is_random)
            totals[nth] += 1.0 - is_shed(world)


def play_on(rng: Random, world: ShitheadWorld, fresh: list[int], is_random: int) -> None:
    left = RANDOM_LONGEST if is_random else LONGEST
    while left and not is_over(world):
        if is_random:
            play_any(rng, world, fresh)
        else:
            keepers_turn(world)
        left -= 1


def is_shed(world: ShitheadWorld) -> float:
    """Half where the game has not ended and the seat does not hold most."""
    if world.places[world.me]:
        return 0.0
    return 1.0 if world.active == 1 or holds_most(world, world.me) else 0.5


@dataclass(frozen=True)
class Flat:
    playouts: Playouts

    def choose(
        self, view: ShitheadView, events: Sequence[Event], rng: Random, samples: int
    ) -> Move:
        if view.phase == "exchange":
            return swap(view)
        moves = view.legal_moves
        if len(moves) == 1 or moves[0].startswith("blind"):
            return moves[0]
        if escapes_repetition(view, rng):
            return rng.choice(moves)
        by_choice = {choice_of(view, move): move for move in moves}
        nothing, is_random = [0] * len(view.tops), int(self.playouts == "random")
        known = believed(view, events)._replace(none=nothing, few=nothing)
        candidates = compared(
            play_worlds, list(by_choice.values()), samples, rng,
            lambda: as_arrays(known, list(by_choice), is_random),
            lambda: as_lists(known, list(by_choice), is_random),
        )  # fmt: skip
        return liked(candidates)


def as_arrays(known: Known, choices: list[int], is_random: int) -> tuple[Known, Workspace]:
    """For compiled code."""
    sampled, playing = empty_records(1, ShitheadWorld), empty_records(1, ShitheadWorld)
    fresh = int_zeros(MOST)
    return arrays_of(known), Workspace(sampled, playing, ints(choices), fresh, is_random)


def as_lists(known: Known, choices: list[int], is_random: int) -> tuple[Known, Workspace]:
    worlds = [ShitheadWorld()], [ShitheadWorld()]
    return known, Workspace(*worlds, choices, [0] * MOST, is_random)


def flat(samples: int, playouts: Playouts = "sensible") -> Bot[Any]:
    return flat_bot(Flat(playouts).choose, samples, f"{playouts}_{samples}", "round")
