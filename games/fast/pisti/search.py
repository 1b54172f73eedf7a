"""The compiled form of ``searcher``: the functions of ``games.rules.pisti.bots`` on records."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from games.fast.binding import (
    bound,
    empty_records,
    float_zeros,
    floats,
    int_zeros,
    ints,
    records,
    stream_words,
)
from games.fast.searching import CompiledSearch, comparison, drawing_from
from games.rules import search
from games.rules.pisti.bots import playouts, sampling, searcher
from games.rules.pisti.bots.plan import MOST_CHOSEN, Plan, rows
from games.rules.pisti.bots.playouts import Workspace
from games.rules.pisti.bots.sampling import Known, Pool
from games.rules.pisti.bots.searcher import Task
from games.rules.pisti.bots.world import RANKS, PistiWorld
from games.rules.pisti.view import PistiView
from games.rules.values import Event, Move, Weighing

fill_pool: Final = bound(sampling.fill_pool)
play_worlds: Final = bound(playouts.play_worlds)


def choose(view: PistiView, events: Sequence[Event], rng: Random, playouts: int) -> Move:
    return searcher.choose(view, events, rng, playouts, compared)


def weigh(view: PistiView, events: Sequence[Event], rng: Random, playouts: int) -> Weighing:
    return searcher.weigh(view, events, rng, playouts, compared)


def compared(task: Task, rng: Random) -> search.Compare:
    known, workspace = arrays_of(task)
    with drawing_from(rng) as words:
        fill_pool(words, known, workspace.pool)
    return comparison(play_worlds, rng, workspace)


def arrays_of(task: Task) -> tuple[Any, Any]:
    """What ``fill_pool`` and ``play_worlds`` need: what is known, and room to work in."""
    known = Known(
        records(task.known.worlds, PistiWorld),
        ints(task.known.lot),
        ints(task.known.wanted),
        ints(task.known.hidden),
        floats(task.known.trust),
        records(task.known.story, PistiWorld),
    )
    weights, left = float_zeros(task.worlds), int_zeros(len(task.known.lot))
    pool = Pool(empty_records(task.worlds, PistiWorld), weights, empty_records(1, PistiWorld), left)
    nodes = rows(task.playouts)
    tries, gains = int_zeros(nodes * RANKS), float_zeros(nodes * RANKS)
    plan = Plan(int_zeros(nodes), tries, gains, int_zeros(MOST_CHOSEN))
    return known, Workspace(ints(task.places), pool, plan, empty_records(1, PistiWorld))


def load() -> None:
    """Compiles what ``choose`` calls, or loads it from the disk."""
    known, workspace = arrays_of(Task(Known([PistiWorld()], [], [], [], [], []), [], 0, 0))
    words = stream_words()
    fill_pool(words, known, workspace.pool)
    play_worlds(words, 0, ints([]), floats([]), workspace)


SEARCHES: Final = {"searcher": CompiledSearch(choose, load, weigh)}
