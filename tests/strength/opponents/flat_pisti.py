"""Plain searches for Pişti: every card played to the end of the deal in so many sampled worlds.

Flat Monte Carlo: no tree, no judgement of the others by what they played, nothing fitted. What
nobody has seen lies anywhere; all seats play on at random, or as ``greedy`` does. What counts is
the difference in points that the deal ends with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Literal, NamedTuple

from games.arena import compiled_code
from games.fast.binding import bound, empty_records, int_zeros, ints, records
from games.fast.searching import comparison as compiled_comparison
from games.rules import search
from games.rules.bot import Bot, Search
from games.rules.cards import CARD
from games.rules.flat import below, copy_into
from games.rules.pisti.bots.belief import believed
from games.rules.pisti.bots.models import models_place
from games.rules.pisti.bots.sampling import Known, deal_unknown
from games.rules.pisti.bots.world import HAND, SEATS, PistiWorld, finish, put
from games.rules.pisti.predicates import PLAYS_PER_DEAL
from games.rules.pisti.view import PistiView
from games.rules.values import Event, Move

Playouts = Literal["random", "sensible"]
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


@cache
def _compiled() -> Any:
    return bound(play_worlds)


@dataclass(frozen=True)
class Flat:
    playouts: Playouts

    def choose(self, view: PistiView, events: Sequence[Event], rng: Random, samples: int) -> Move:
        by_kind = {move if move in ("2C", "TD") else move[0]: move for move in view.legal_moves}
        moves = list(by_kind.values())
        if len(moves) == 1:
            return moves[0]
        known = believed(view, view.to_act[0], events)
        known.worlds[0].refused[:] = [0] * SEATS
        hand = [CARD[code] for code in view.hand or ()]
        places = [hand.index(CARD[move]) for move in moves]
        candidates = [search.Candidate(move) for move in moves]
        self._compare(known, places, rng)(candidates, samples)
        return max(candidates, key=lambda candidate: candidate.total).move

    def _compare(self, known: Known, places: list[int], rng: Random) -> search.Compare:
        cards, is_random = len(known.lot), int(self.playouts == "random")
        if compiled_code.installed():
            arrays = known._replace(
                worlds=records(known.worlds, PistiWorld),
                lot=ints(known.lot),
                wanted=ints(known.wanted),
                hidden=ints(known.hidden),
                trust=ints([]),
                story=records([], PistiWorld),
            )
            workspace = Workspace(
                empty_records(1, PistiWorld), empty_records(1, PistiWorld),
                int_zeros(cards), int_zeros(cards), ints(places), is_random,
            )  # fmt: skip
            return compiled_comparison(_compiled(), rng, arrays, workspace)
        workspace = Workspace(
            [PistiWorld()], [PistiWorld()], [0] * cards, [0] * cards, places, is_random
        )

        def play_in_table(worlds: int, moves: list[int], totals: list[float]) -> None:
            play_worlds(rng, worlds, moves, totals, known, workspace)

        return search.comparison(play_in_table)


def flat(samples: int, playouts: Playouts = "sensible") -> Bot[Any]:
    """The plain search with so many worlds a decision; each card is played in each of them."""
    search_ = Search(Flat(playouts).choose, playouts=samples, playouts_a_ms=10)
    return search_.bot(
        slug=f"flat_{playouts}_{samples}", name="Flat", summary="", level=4, remembers="round",
        rated=False,
    )  # fmt: skip
