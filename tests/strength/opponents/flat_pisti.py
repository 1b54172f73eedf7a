"""Plain searches for Pişti: every card played to the end of the deal in so many sampled worlds.

Flat Monte Carlo: no tree, no judgement of the others by what they played, nothing fitted. What
nobody has seen lies anywhere; all seats play on at random, or as ``greedy`` does. What counts is
the difference in points that the deal ends with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from cardroom.fast.binding import empty_records, int_zeros, ints, records
from cardroom.rules.bot import Bot
from cardroom.rules.cards import CARD
from cardroom.rules.pisti.bots.belief import Known, believed, deal_unknown, models_place
from cardroom.rules.pisti.bots.searcher import unlike
from cardroom.rules.pisti.bots.world import HAND, SEATS, PistiWorld, finish, put
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.search import Candidate, below, copy_into
from cardroom.rules.values import Event, Move
from tests.strength.opponents.plain import Playouts, compared, flat_bot, liked

HUNDRED = 100


class Workspace(NamedTuple):
    """A sampled world, one to play, and the cards left in the stock; places in the hand."""

    sampled: list[PistiWorld]
    playing: list[PistiWorld]
    stock: list[int]
    left: list[int]
    places: list[int]
    is_random: int


def play_worlds(
    rng: Random,
    worlds: int,
    moves: list[int],
    totals: list[float],
    known: Known,
    workspace: Workspace,
) -> None:
    """Plays each of these moves to the end of the deal in so many worlds."""
    for _ in range(worlds):
        copy_into(workspace.sampled, 0, known.worlds[0])
        world = workspace.sampled[0]
        deal_unknown(rng, known, world, workspace.stock)
        dealt = 0
        for seat in range(world.players):
            dealt += known.wanted[seat] - known.worlds[0].sizes[seat]
        for side in range(world.sides + 1):
            dealt += known.hidden[side]
        cards = len(known.lot) - dealt
        for nth in range(len(moves)):
            copy_into(workspace.playing, 0, world)
            for at in range(cards):
                workspace.left[at] = workspace.stock[at]
            put(workspace.playing[0], workspace.places[moves[nth]])
            play_deal(rng, workspace.playing[0], workspace.left, cards, workspace.is_random)
            totals[nth] += margin(workspace.playing[0])


def play_deal(rng: Random, world: PistiWorld, left: list[int], cards: int, is_random: int) -> None:
    """All seats play on, and are dealt four cards each as long as there are any."""
    while True:
        while world.sizes[world.turn]:
            size = world.sizes[world.turn]
            put(world, below(rng, size) if is_random else models_place(world))
        if cards < world.players or world.plays >= PLAYS_PER_DEAL:
            break
        for seat in range(world.players):
            for at in range(min(HAND, cards // (world.players - seat))):
                drawn = below(rng, cards)
                world.hands[seat][at] = left[drawn]
                world.sizes[seat] = at + 1
                cards -= 1
                left[drawn] = left[cards]
    finish(world)


def margin(world: PistiWorld) -> float:
    """Points ahead of the best other side."""
    mine, best = world.points[world.me % world.sides], -HUNDRED
    for side in range(world.sides):
        if side != world.me % world.sides:
            best = max(best, world.points[side])
    return float(mine - best)


@dataclass(frozen=True)
class Flat:
    playouts: Playouts

    def choose(self, view: PistiView, events: Sequence[Event], rng: Random, samples: int) -> Move:
        moves = unlike(view.legal_moves)
        return moves[0] if len(moves) == 1 else liked(self.weigh(view, events, rng, samples))

    def weigh(
        self, view: PistiView, events: Sequence[Event], rng: Random, samples: int
    ) -> list[Candidate]:
        """The points in so many worlds of each card, without those that do the same as another."""
        moves = unlike(view.legal_moves)
        known = believed(view, view.to_act[0], events)
        known.worlds[0].refused[:] = [0] * SEATS
        hand = [CARD[code] for code in view.hand or ()]
        places = [hand.index(CARD[move]) for move in moves]
        is_random = int(self.playouts == "random")
        return compared(
            play_worlds, moves, samples, rng,
            lambda: arrays_of(known, places, is_random),
            lambda: lists_of(known, places, is_random),
        )  # fmt: skip


def arrays_of(known: Known, places: list[int], is_random: int) -> tuple[Known, Workspace]:
    """For compiled code."""
    cards = len(known.lot)
    arrays = known._replace(
        worlds=records(known.worlds, PistiWorld),
        lot=ints(known.lot),
        wanted=ints(known.wanted),
        hidden=ints(known.hidden),
        trust=ints([]),
        story=records([], PistiWorld),
    )
    sampled, playing = empty_records(1, PistiWorld), empty_records(1, PistiWorld)
    stock, left = int_zeros(cards), int_zeros(cards)
    return arrays, Workspace(sampled, playing, stock, left, ints(places), is_random)


def lists_of(known: Known, places: list[int], is_random: int) -> tuple[Known, Workspace]:
    stock, left = [0] * len(known.lot), [0] * len(known.lot)
    return known, Workspace([PistiWorld()], [PistiWorld()], stock, left, places, is_random)


def flat(samples: int, playouts: Playouts = "sensible") -> Bot[Any]:
    return flat_bot(Flat(playouts).choose, samples, f"{playouts}_{samples}", "round")
