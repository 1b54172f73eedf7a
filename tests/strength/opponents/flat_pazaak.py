"""Plain searches for Pazaak: every choice played to the end of the match in so many sampled worlds.

Flat Monte Carlo: no tree, nothing learned, no move left out. Both seats play on at random, or by
the six rules of the gambler. The rival is taken to bring one of the decks that many bring, or ten
cards of the catalogue at random.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from cardroom.fast.binding import empty_records, int_rows, ints, records, stream_words
from cardroom.rules.bot import Bot
from cardroom.rules.pazaak.bots.six_rule import choice
from cardroom.rules.pazaak.bots.world import (
    AMOUNTS,
    CHOICES,
    CLOSE,
    DRAW,
    END,
    NUMBER,
    OVER,
    STAND,
    START,
    WAY_COUNTS,
    PazaakWorld,
    card_to_play,
    cards_to_play,
    fits,
    play,
)
from cardroom.rules.pazaak.predicates import MAIN_PACK
from cardroom.rules.pazaak.side_cards import CATALOGUES, DECK_SIZE
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.search import below, copy_into, rewind
from cardroom.rules.shuffles import Stream
from cardroom.rules.values import Event, Move
from tests.strength.opponents.pazaak_worlds import Known, Sampled, believed, sample
from tests.strength.opponents.plain import Playouts, compared, flat_bot, liked

DECKS = 40  # at random, where none is known


class Workspace(NamedTuple):
    """The choices; a sampled world; one to play and the stream of its later rounds."""

    choices: list[list[int]]
    sampled: Sampled
    playing: list[PazaakWorld]
    later: Stream
    is_random: int


def play_worlds(
    rng: Random,
    worlds: int,
    moves: list[int],
    totals: list[float],
    known: Known,
    workspace: Workspace,
) -> None:
    """Plays each of these moves to the end of the match in so many worlds."""
    for _ in range(worlds):
        sample(rng, known, workspace.sampled)
        for nth in range(len(moves)):
            copy_into(workspace.playing, 0, workspace.sampled.worlds[0])
            rewind(workspace.later, workspace.sampled.later)
            world, chosen = workspace.playing[0], workspace.choices[moves[nth]]
            play(world, chosen[0], chosen[1], workspace.later)
            while world.phase != OVER:
                card, amount = any_choice(rng, world) if workspace.is_random else choice(world)
                play(world, card, amount, workspace.later)
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


@dataclass(frozen=True)
class Flat:
    """``knows_decks``: whether it expects the decks that many bring."""

    playouts: Playouts
    knows_decks: bool = True

    def choose(self, view: PazaakView, events: Sequence[Event], rng: Random, samples: int) -> Move:
        moves = view.legal_moves
        if len(moves) == 1:
            return moves[0]
        known = believed(view, None if self.knows_decks else any_decks(view, rng))
        choices = [list(CHOICES[move]) for move in moves]
        is_random = int(self.playouts == "random")
        candidates = compared(
            play_worlds, moves, samples, rng,
            lambda: arrays_of(known, choices, is_random),
            lambda: lists_of(known, choices, is_random),
        )  # fmt: skip
        return liked(candidates)


def any_decks(view: PazaakView, rng: Random) -> list[list[int]]:
    """Random decks of as many cards of the catalogue as the rival has left."""
    size = DECK_SIZE - len(view.halves[1 - view.to_act[0]].played)
    catalogue = [NUMBER[code] for code in CATALOGUES[view.options.catalogue]]
    return [[rng.choice(catalogue) for _ in range(size)] for _ in range(DECKS)]


def arrays_of(known: Known, choices: list[list[int]], is_random: int) -> tuple[Known, Workspace]:
    """For compiled code."""
    as_arrays = Known(
        records(known.worlds, PazaakWorld), int_rows(known.unseen, len(MAIN_PACK)),
        int_rows(known.likely, len(MAIN_PACK)), ints(known.sizes), known.held,
    )  # fmt: skip
    sampled = Sampled(records(known.worlds, PazaakWorld), stream_words(), ints(MAIN_PACK))
    playing = empty_records(1, PazaakWorld)
    rows = int_rows(choices, 2)
    return as_arrays, Workspace(rows, sampled, playing, stream_words(), is_random)


def lists_of(known: Known, choices: list[list[int]], is_random: int) -> tuple[Known, Workspace]:
    sampled = Sampled([known.worlds[0].copy()], Stream(), list(MAIN_PACK))
    return known, Workspace(choices, sampled, [PazaakWorld()], Stream(), is_random)


def flat(samples: int, playouts: Playouts = "sensible", *, knows_decks: bool = True) -> Bot[Any]:
    name = f"{playouts}_{samples}{'' if knows_decks else '_no_deck'}"
    return flat_bot(Flat(playouts, knows_decks).choose, samples, name, "match")
