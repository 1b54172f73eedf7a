"""Plain searches for Pazaak: every choice played to the end of the match in so many sampled worlds.

Flat Monte Carlo: no tree, nothing learned, no move left out. Both seats play on at random, or by
the six rules of the gambler. The rival is taken to bring one of the decks that many bring, or ten
cards of the catalogue at random.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Literal

from games.arena import compiled_code
from games.fast.binding import bound, ints
from games.fast.searching import comparison as compiled_comparison
from games.rules import search
from games.rules.bot import Bot, Search
from games.rules.flat import below, copy_into, rewind
from games.rules.pazaak.bots.rounds import play
from games.rules.pazaak.bots.six_rule import choice
from games.rules.pazaak.bots.world import (
    AMOUNTS,
    CHOICES,
    CLOSE,
    DRAW,
    END,
    KIND,
    LONGEST,
    NUMBER,
    OVER,
    STAND,
    START,
    VALUE,
    WAY_COUNTS,
    PazaakWorld,
    card_to_play,
    cards_to_play,
)
from games.rules.pazaak.predicates import MAIN_PACK, PLACES
from games.rules.pazaak.side_cards import CATALOGUES, DECK_SIZE
from games.rules.pazaak.view import PazaakView
from games.rules.stream import Stream
from games.rules.values import Event, Move
from tests.strength.opponents.second_professor.belief import believed
from tests.strength.opponents.second_professor.compiled import arrays_of
from tests.strength.opponents.second_professor.playouts import Workspace
from tests.strength.opponents.second_professor.sampling import Known, Sampled, sample

DECKS = 40  # at random, where none is known
Playouts = Literal["random", "sensible"]


def play_worlds(
    rng: Random,
    worlds: int,
    moves: list[int],
    totals: list[float],
    known: Known,
    workspace: Workspace,
    is_random: list[int],
) -> None:
    """Plays each of these moves to the end of the match in so many worlds."""
    for _ in range(worlds):
        sample(rng, known, workspace.sampled)
        for nth in range(len(moves)):
            copy_into(workspace.playing, 0, workspace.sampled.worlds[0])
            rewind(workspace.later, workspace.sampled.later)
            world, chosen = workspace.playing[0], workspace.choices[moves[nth]]
            play(world, chosen[0], chosen[1], workspace.later, workspace.pack)
            while world.phase != OVER:
                card, amount = any_choice(rng, world) if is_random[0] else choice(world)
                play(world, card, amount, workspace.later, workspace.pack)
            mine, theirs = world.wins[world.me], world.wins[1 - world.me]
            if mine >= theirs:
                totals[nth] += 1.0 if mine > theirs else 0.5


def any_choice(rng: Random, world: PazaakWorld) -> tuple[int, int]:
    """A choice at random; a card and what it counts, all ways alike."""
    if world.phase == START:
        return (DRAW if below(rng, 2) else STAND), 0
    others = 2 if world.at_end else 1
    number = below(rng, others + (ways(world) if world.phase != CLOSE else 0))
    if number < others:
        return (STAND if number else END), 0
    return way(world, number - others)


def ways(world: PazaakWorld) -> int:
    """How many moves play a card."""
    count = 0
    for at in range(cards_to_play(world, world.turn)):
        card = card_to_play(world, world.turn, at)
        if fits(world, card):
            count += WAY_COUNTS[card]
    return count


def way(world: PazaakWorld, number: int) -> tuple[int, int]:
    """The move of this number among those that play a card."""
    for at in range(cards_to_play(world, world.turn)):
        card = card_to_play(world, world.turn, at)
        if fits(world, card):
            if number < WAY_COUNTS[card]:
                return card, AMOUNTS[card][number]
            number -= WAY_COUNTS[card]
    return END, 0


def fits(world: PazaakWorld, card: int) -> bool:
    """R14"""
    return not (world.board_size[world.turn] == PLACES and (world.slots or KIND[card] == VALUE))


@cache
def _compiled() -> Any:
    return bound(play_worlds)


@dataclass(frozen=True)
class Flat:
    """``knows_decks``: whether it expects the decks that many bring."""

    playouts: Playouts
    knows_decks: bool = True

    def choose(self, view: PazaakView, events: Sequence[Event], rng: Random, samples: int) -> Move:
        moves = view.legal_moves
        if len(moves) == 1:
            return moves[0]
        candidates = [search.Candidate(move) for move in moves]
        choices = [list(CHOICES[move]) for move in moves]
        self._compare(self._known(view, events, rng), choices, rng)(candidates, samples)
        return max(candidates, key=lambda candidate: candidate.total).move

    def _known(self, view: PazaakView, events: Sequence[Event], rng: Random) -> Known:
        known = believed(view, view.to_act[0], ())
        world = known.worlds[0]
        world.modelled, world.last = 0, max(LONGEST, world.round_no)
        rival = view.halves[1 - world.me]
        if self.knows_decks or rival.allowance is not None:
            return known._replace(passed=[])
        size = DECK_SIZE - len(rival.played)
        catalogue = [NUMBER[code] for code in CATALOGUES[view.options.catalogue]]
        likely = [[rng.choice(catalogue) for _ in range(size)] for _ in range(DECKS)]
        sizes = [*known.sizes[:2], *(size for _ in likely)]
        return known._replace(passed=[], likely=likely, sizes=sizes)

    def _compare(self, known: Known, choices: list[list[int]], rng: Random) -> search.Compare:
        is_random = [int(self.playouts == "random")]
        if compiled_code.installed():
            arrays = arrays_of(known, choices)
            return compiled_comparison(_compiled(), rng, *arrays, ints(is_random))
        sampled = Sampled([known.worlds[0].copy()], Stream(), list(MAIN_PACK))
        workspace = Workspace(choices, sampled, [PazaakWorld()], Stream(), list(MAIN_PACK))

        def play_in_table(worlds: int, moves: list[int], totals: list[float]) -> None:
            play_worlds(rng, worlds, moves, totals, known, workspace, is_random)

        return search.comparison(play_in_table)


def flat(samples: int, playouts: Playouts = "sensible", *, knows_decks: bool = True) -> Bot[Any]:
    """The plain search with so many worlds a decision; each move is played in each of them."""
    slug = f"flat_{playouts}_{samples}{'' if knows_decks else '_no_deck'}"
    search_ = Search(Flat(playouts, knows_decks).choose, playouts=samples, playouts_a_ms=10)
    return search_.bot(slug=slug, name="Flat", summary="", level=4, remembers="match", rated=False)
