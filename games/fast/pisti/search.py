"""The search of ``searcher`` compiled: what the seat knows as arrays for ``sampling`` and
``playouts``.

The bot of the rules decides what is known and believed (``belief.Belief``); worlds and playouts are
compiled. A test compares the choices of both.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import numpy

from games.fast.pisti.planning import MOST_CHOSEN, UNUSED
from games.fast.pisti.playouts import play_worlds
from games.fast.pisti.sampling import DECISION, PLAYED, fill_pool
from games.fast.pisti.worlds import (
    BONUS,
    CARD_POINTS,
    HAND,
    HANDS,
    HEAPS,
    LAST,
    NO_TARGET,
    PILE,
    PILE_POINTS,
    PLAYS,
    RANKS,
    REFUSED,
    SEATS,
    SEEN,
    SETTING,
    SIZES,
    TOP,
    TOTALS,
    TURN,
    WORLD,
)
from games.fast.searching import AT_ONCE, CompiledSearch, comparison, drawing_from
from games.fast.stream import WORDS
from games.rules import search
from games.rules.cards import CARD
from games.rules.pisti.bots import searcher
from games.rules.pisti.bots.belief import Belief
from games.rules.pisti.bots.story import Decision
from games.rules.pisti.bots.world import World
from games.rules.pisti.predicates import PACK
from games.rules.pisti.view import PistiView
from games.rules.values import Event, Move

NODES_A_PLAYOUT: Final = 2  # at most
LEAST_PLAYOUTS: Final = 2 * HAND  # each move is played once a round, whatever the budget


def choose(view: PistiView, events: Sequence[Event], rng: Random, playouts: int) -> Move:
    return searcher.choose(view, events, rng, playouts, best_move)


def best_move(belief: Belief, moves: Sequence[Move], playouts: int, rng: Random) -> Move:
    arrays = arrays_of(belief, moves, playouts, rng)

    def play(words: Any, worlds: int, which: Any, totals: Any) -> None:
        play_worlds(words, worlds, which, totals, *arrays)

    return search.best_by(comparison(play, rng), moves, playouts, rng, at_once=AT_ONCE)


def arrays_of(belief: Belief, moves: Sequence[Move], playouts: int, rng: Random) -> tuple[Any, ...]:
    """What ``play_worlds`` needs beside words, moves and totals, in the order of its parameters."""
    hand = belief.hands[belief.me]
    cards = numpy.array([hand.index(CARD[move]) for move in moves], dtype=numpy.int64)
    tree = _tree(max(playouts, LEAST_PLAYOUTS))
    return cards, _setting(belief), *_pool(belief, rng), *tree, *_work_arrays()


def _pool(belief: Belief, rng: Random) -> tuple[Any, Any, Any]:
    pool = numpy.empty((belief.worlds, WORLD), dtype=numpy.int64)
    weights = numpy.empty(belief.worlds)
    counting = numpy.empty((belief.worlds, SEATS))
    lot = numpy.array(belief.lot, dtype=numpy.int64)
    known = (
        _world(belief), _setting(belief), lot, _hidden(belief), numpy.array(belief.trust),
        _story(belief.story),
    )  # fmt: skip
    work = (
        numpy.zeros(WORLD, dtype=numpy.int64), numpy.zeros(WORLD, dtype=numpy.int64),
        numpy.zeros(len(PACK), dtype=numpy.int64), numpy.zeros(HAND),
    )  # fmt: skip
    with drawing_from(rng) as words:
        fill_pool(words, *known, pool, weights, counting, *work)
    return pool, weights, counting


def _tree(playouts: int) -> tuple[Any, Any, Any]:
    """A table twice as large as its nodes can be many."""
    rows = 1 << (2 * NODES_A_PLAYOUT * playouts).bit_length()
    keys = numpy.full(rows, UNUSED, dtype=numpy.int64)
    return keys, numpy.empty((rows, RANKS), dtype=numpy.int64), numpy.empty((rows, RANKS))


def _work_arrays() -> tuple[Any, ...]:
    chosen = numpy.zeros((MOST_CHOSEN, 2), dtype=numpy.int64)
    world, counts = numpy.zeros(WORLD, dtype=numpy.int64), numpy.zeros(SEATS, dtype=numpy.int64)
    return chosen, world, counts, numpy.zeros(HAND)


def _setting(belief: Belief) -> Any:
    setting = numpy.zeros(SETTING, dtype=numpy.int64)
    target = NO_TARGET if belief.target is None else belief.target
    setting[:TOTALS] = (
        belief.players, belief.sides, belief.single, belief.double, belief.majority,
        belief.last_counts, belief.me, target,
    )  # fmt: skip
    setting[TOTALS : TOTALS + belief.sides] = belief.totals
    return setting


def _world(world: World) -> Any:
    row = numpy.zeros(WORLD, dtype=numpy.int64)
    row[TOP], row[PILE], row[PILE_POINTS] = world.top, world.pile_size, world.pile_points
    row[TURN], row[PLAYS], row[LAST] = world.turn, world.plays, world.last
    row[SEEN : SEEN + RANKS] = world.seen
    for first, values in (
        (REFUSED, world.refused),
        (HEAPS, world.cards),
        (CARD_POINTS, world.points),
        (BONUS, world.bonus),
    ):
        row[first : first + len(values)] = values
    for seat, hand in enumerate(world.hands):
        row[SIZES + seat] = len(hand)
        row[HANDS + HAND * seat : HANDS + HAND * seat + len(hand)] = hand
    return row


def _hidden(belief: Belief) -> Any:
    """How many cards each hand has in all, then the unseen ones by side and of the pile."""
    hidden = numpy.zeros(2 * SEATS + 1, dtype=numpy.int64)
    hidden[belief.me] = len(belief.hands[belief.me])
    for seat, size in belief.draws:
        hidden[seat] = len(belief.hands[seat]) + size
    unseen = (*belief.hidden_in_heap, belief.hidden_in_pile)
    hidden[SEATS : SEATS + len(unseen)] = unseen
    return hidden


def _story(story: Sequence[Decision]) -> Any:
    rows = numpy.zeros((len(story), DECISION), dtype=numpy.int64)
    for row, decision in zip(rows, story, strict=True):
        row[:WORLD] = _world(decision.before)
        row[PLAYED] = len(decision.played)
        row[PLAYED + 1 : PLAYED + 1 + len(decision.played)] = decision.played
    return rows


def load() -> None:
    """Compiles what ``choose`` calls, or loads it from the disk."""
    words, ints = numpy.zeros(WORDS, dtype=numpy.uint64), numpy.zeros(0, dtype=numpy.int64)
    rows, table = numpy.zeros((0, 0), dtype=numpy.int64), numpy.zeros((0, 0))
    floats = numpy.zeros(0)
    setting = numpy.zeros(SETTING, dtype=numpy.int64)
    pool = (rows, floats, table)
    fill_pool(words, ints, setting, ints, ints, floats, rows, *pool, ints, ints, ints, floats)
    tree = _tree(0)
    play_worlds(words, 0, ints, floats, ints, setting, *pool, *tree, *_work_arrays())


SEARCHES: Final = {"searcher": CompiledSearch(choose, load)}
