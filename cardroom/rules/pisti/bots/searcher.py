"""``searcher``: plays every choice to the end of the block in many worlds that it may be in.

``belief`` is what it knows and infers, ``sampling`` deals the worlds, ``playouts`` plays them;
``models`` says how the others play on, ``plan`` how it does itself, ``outlook`` what the end of a
block is worth. ``last_block`` needs no playouts.
"""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Final, NamedTuple

from cardroom.rules import search
from cardroom.rules.bot import Bot, Search
from cardroom.rules.cards import CARD
from cardroom.rules.pisti.bots.belief import all_known, believed
from cardroom.rules.pisti.bots.last_block import Node, Solving, solve_worlds
from cardroom.rules.pisti.bots.plan import empty_plan
from cardroom.rules.pisti.bots.playouts import Workspace, play_worlds
from cardroom.rules.pisti.bots.sampling import Known, empty_pool, fill_pool, own_hand
from cardroom.rules.pisti.bots.story import recent_deals
from cardroom.rules.pisti.bots.world import BLOCK, HAND, PistiWorld
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event, Move, Weighing

PLAYOUTS: Final = 20_000
POOL: Final = 500  # worlds, at least, that are weighed by what they explain
PLAYOUTS_A_WORLD: Final = 10  # of a larger pool
LEAST_POOL: Final = 100  # worlds of a batch, where moves are weighed
LARGEST_BATCH: Final = 1024  # playouts of a move; a plan for more of them would be large
LEAST_PLAYOUTS: Final = 2 * HAND  # each move is played once a round, whatever the budget


class Task(NamedTuple):
    """What is searched: places in the hand, one a move; how many worlds and playouts, at most.

    Where every card is known there is one world, which is ``solved``.
    """

    known: Known
    places: list[int]
    worlds: int
    playouts: int
    solved: bool = False


Compare = Callable[[Task, Random], search.Compare]


def choose(
    view: PistiView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    comparison: Compare | None = None,
) -> Move:
    """``comparison`` is that of the compiled form."""
    moves = unlike(view.legal_moves)
    if len(moves) == 1:
        return moves[0]
    budget = 2 * playouts // view.options.players
    pool = max(POOL, playouts // PLAYOUTS_A_WORLD)
    task = _task(view, events, moves, min(playouts, pool), budget, exact=True)
    compare = (comparison or _compare)(task, rng)
    if task.solved:
        return search.best_by(compare, moves, 1, rng, near=0.0)
    at_once = 1 if comparison is None else search.AT_ONCE
    return search.best_by(compare, moves, budget, rng, at_once=at_once)


def weigh(
    view: PistiView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    comparison: Compare | None = None,
) -> Weighing:
    """``comparison`` is that of the compiled form; of cards that do the same one is played."""
    moves = unlike(view.legal_moves)
    batches = max(search.BATCHES, playouts // LARGEST_BATCH)
    size = max(1, playouts // batches)
    pool = min(POOL, max(LEAST_POOL, size))
    task = _task(view, events, moves, pool, size * len(moves))
    compare = comparison or _compare
    if task.solved:
        weighed = search.weigh_by(compare(task, rng), moves, 1, batches=1)
    else:
        weighed = search.weigh_by(_anew(compare, task, rng), moves, playouts, batches)
    by_kind = {kind_of(move): move for move in moves}
    return weighed.spread({move: by_kind[kind_of(move)] for move in view.legal_moves})


def _anew(comparison: Compare, task: Task, rng: Random) -> search.Compare:
    """Every batch has worlds and a plan of its own: what it says hangs on no other batch."""

    def compare(candidates: Sequence[search.Candidate], worlds: int) -> None:
        comparison(task, rng)(candidates, worlds)

    return compare


def _task(
    view: PistiView,
    events: Sequence[Event],
    moves: Sequence[Move],
    worlds: int,
    playouts: int,
    *,
    exact: bool = False,
) -> Task:
    known = believed(view, view.to_act[0], recent_deals(events), exact=exact)
    hand = [CARD[code] for code in view.hand]
    places = [hand.index(CARD[move]) for move in moves]
    if all_known(known, view):
        return Task(known, places, 1, 1, solved=True)
    return Task(known, places, worlds, max(playouts, LEAST_PLAYOUTS))


def unlike(moves: Sequence[Move]) -> list[Move]:
    """One of the cards that do the same: of a rank, and worth as much."""
    return list({kind_of(move): move for move in moves}.values())


def kind_of(move: Move) -> str:
    """The rank; the two cards that are worth more than others of theirs stand for themselves."""
    return move if move in ("2C", "TD") else move[0]


def _compare(task: Task, rng: Random) -> search.Compare:
    pool = empty_pool(task.worlds, len(task.known.lot))
    fill_pool(rng, task.known, pool)
    if task.solved:
        nodes, playing = zip(*((Node(), PistiWorld()) for _ in range(BLOCK)), strict=True)
        solving = Solving(task.places, pool, list(nodes), list(playing))
        return search.comparison(partial(solve_worlds, rng, workspace=solving))
    plan = empty_plan(task.playouts, own_hand(task.known))
    workspace = Workspace(task.places, pool, plan, [PistiWorld()])
    return search.comparison(partial(play_worlds, rng, workspace=workspace))


SEARCHER: Final[Bot[PistiView]] = Search(
    choose, playouts=PLAYOUTS, playouts_a_ms=45, weigh=weigh
).bot(
    slug="searcher",
    name="Searcher",
    summary="Guesses the other hands from what they let lie and tries each card in many of them.",
    level=5,
    remembers="match",
    cost="slow",
    seconds=2.0,
)
