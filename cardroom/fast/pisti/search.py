"""``searcher`` and the coach's luck compiled: functions of ``cardroom.rules.pisti`` on records."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Final

from cardroom.fast.binding import (
    CompiledPart,
    CompiledSearch,
    bound,
    comparison,
    drawing_from,
    empty_records,
    float_zeros,
    floats,
    int_zeros,
    ints,
    records,
    stream_words,
)
from cardroom.rules import search
from cardroom.rules.pisti import coaching
from cardroom.rules.pisti.bots import belief, searcher
from cardroom.rules.pisti.bots.belief import Known, Pool, own_hand
from cardroom.rules.pisti.bots.searcher import (
    MOST_CHOSEN,
    Node,
    Plan,
    Solving,
    Task,
    Workspace,
    ranks_of,
    rows,
)
from cardroom.rules.pisti.bots.world import BLOCK, HAND, SEATS, PistiWorld
from cardroom.rules.pisti.coaching import CHANCES as PLAIN
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.values import Move, Seat

fill_pool: Final = bound(belief.fill_pool)
play_worlds: Final = bound(searcher.play_worlds)
solve_worlds: Final = bound(searcher.solve_worlds)


def compared(task: Task, rng: Random) -> search.Compare:
    known, pool, places = known_in(task), pool_for(task), ints(task.places)
    with drawing_from(rng) as words:
        fill_pool(words, known, pool)
    if task.solved:
        return comparison(solve_worlds, rng, solving_in(places, pool))
    return comparison(play_worlds, rng, playing_in(places, pool, task))


def known_in(task: Task) -> Any:
    return Known(
        records(task.known.worlds, PistiWorld),
        ints(task.known.lot),
        ints(task.known.wanted),
        ints(task.known.hidden),
        floats(task.known.trust),
        records(task.known.story, PistiWorld),
    )


def pool_for(task: Task) -> Any:
    weights, left = float_zeros(task.worlds), int_zeros(len(task.known.lot))
    return Pool(empty_records(task.worlds, PistiWorld), weights, empty_records(1, PistiWorld), left)


def playing_in(places: Any, pool: Any, task: Task) -> Any:
    nodes, ranks = rows(task.playouts), ints(ranks_of(own_hand(task.known)))
    tries, gains = int_zeros(nodes * HAND), float_zeros(nodes * HAND)
    plan = Plan(ranks, int_zeros(nodes), tries, gains, int_zeros(MOST_CHOSEN))
    return Workspace(places, pool, plan, empty_records(1, PistiWorld))


def solving_in(places: Any, pool: Any) -> Any:
    return Solving(places, pool, empty_records(BLOCK, Node), empty_records(BLOCK, PistiWorld))


def load() -> None:
    """Compiles what ``choose`` calls, or loads it from the disk."""
    task = Task(Known([PistiWorld()], [], [], [], [], []), [], 0, 0)
    pool, none, words = pool_for(task), ints([]), stream_words()
    fill_pool(words, known_in(task), pool)
    play_worlds(words, 0, none, floats([]), playing_in(none, pool, task))
    solve_worlds(words, 0, none, floats([]), solving_in(none, pool))


choose: Final = partial(searcher.choose, comparison=compared)
weigh: Final = partial(searcher.weigh, comparison=compared)
SEARCHES: Final = {"searcher": CompiledSearch(choose, load, weigh)}

# How luck falls: ``cardroom.rules.pisti.coaching`` on records.


compare_deals: Final = bound(coaching.compare_deals)


def added(
    before: PistiState | None,
    after: PistiState,
    seat: Seat,
    move: Move,
    bots: Sequence[str],
    rng: Random,
) -> Sequence[float] | None:
    return coaching.added(before, after, seat, move, bots, rng, compare)


def compare(
    rng: Random,
    others: int,
    worlds: list[PistiWorld],
    lot: list[int],
    centre: int,
    sums: list[float],
) -> None:
    counted = floats(sums)
    with drawing_from(rng) as words:
        compare_deals(words, others, records(worlds, PistiWorld), ints(lot), centre, counted)
    sums[:] = counted.tolist()


def load_luck() -> None:
    """Compiles it, or loads it from the disk."""
    lot, sums = ints(range(2 * SEATS * SEATS)), float_zeros(2 * SEATS)
    compare_deals(stream_words(), 0, empty_records(2, PistiWorld), lot, 0, sums)


LUCK: Final = CompiledPart(replace(PLAIN, added=added), load_luck)
