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
from games.rules.pisti.bots.playouts import Table
from games.rules.pisti.bots.sampling import Known, Pool
from games.rules.pisti.bots.searcher import Task
from games.rules.pisti.bots.world import RANKS, World
from games.rules.pisti.view import PistiView
from games.rules.values import Event, Move

fill_pool: Final = bound(sampling.fill_pool)
play_worlds: Final = bound(playouts.play_worlds)


def choose(view: PistiView, events: Sequence[Event], rng: Random, playouts: int) -> Move:
    return searcher.choose(view, events, rng, playouts, compared)


def compared(task: Task, rng: Random) -> search.Compare:
    known, table = arrays_of(task)
    with drawing_from(rng) as words:
        fill_pool(words, known, table.pool)
    return comparison(play_worlds, rng, table)


def arrays_of(task: Task) -> tuple[Any, Any]:
    """What ``fill_pool`` and ``play_worlds`` need: the known, and a table with room."""
    known = Known(
        records(task.known.worlds, World),
        ints(task.known.lot),
        ints(task.known.wanted),
        ints(task.known.hidden),
        floats(task.known.trust),
        records(task.known.story, World),
    )
    weights, left = float_zeros(task.worlds), int_zeros(len(task.known.lot))
    pool = Pool(empty_records(task.worlds, World), weights, empty_records(1, World), left)
    nodes = rows(task.playouts)
    tries, gains = int_zeros(nodes * RANKS), float_zeros(nodes * RANKS)
    plan = Plan(int_zeros(nodes), tries, gains, int_zeros(MOST_CHOSEN))
    return known, Table(ints(task.places), pool, plan, empty_records(1, World))


def load() -> None:
    """Compiles what ``choose`` calls, or loads it from the disk."""
    known, table = arrays_of(Task(Known([World()], [], [], [], [], []), [], 0, 0))
    words = stream_words()
    fill_pool(words, known, table.pool)
    play_worlds(words, 0, ints([]), floats([]), table)


SEARCHES: Final = {"searcher": CompiledSearch(choose, load)}
