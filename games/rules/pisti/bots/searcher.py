"""``searcher``: plays every choice to the end of the block in many worlds that it may be in.

``belief`` is what it knows and infers, ``models`` how the others play on, ``plan`` how it does
itself, ``outlook`` what the end of a block is worth. ``last_block`` needs no playouts.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from games.rules import search
from games.rules.bot import Bot, Search
from games.rules.pisti.bots.belief import Belief
from games.rules.pisti.bots.story import recent_deals
from games.rules.pisti.view import PistiView
from games.rules.values import Event, Move

BestMove = Callable[[Belief, Sequence[Move], int, Random], Move]


def choose(
    view: PistiView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    best_move: BestMove = search.best_move,
) -> Move:
    """``best_move`` compares the moves; a compiled form of the search brings its own."""
    moves = unlike(view.legal_moves)
    if len(moves) == 1:
        return moves[0]
    belief = Belief(view, view.to_act[0], recent_deals(events), playouts)
    if belief.all_known:  # there is one world, and it is solved
        return search.best_move(belief, moves, 1, rng, near=0.0)
    return best_move(belief, moves, 2 * playouts // view.options.players, rng)


def unlike(moves: Sequence[Move]) -> list[Move]:
    """One of the cards that do the same: of a rank, and worth as much."""
    return list({move if move in ("2C", "TD") else move[0]: move for move in moves}.values())


SEARCHER: Final[Bot[PistiView]] = Search(choose, playouts=1800, playouts_a_ms=45).bot(
    slug="searcher",
    name="Searcher",
    summary="Guesses the other hands from what they let lie and tries each card in many of them.",
    level=5,
    remembers="match",
    cost="slow",
    seconds=1.0,
)
