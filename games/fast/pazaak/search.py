"""The compiled form of ``professor``: the functions of ``games.rules.pazaak.bots`` on records."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from games.fast.binding import (
    bound,
    empty_records,
    floats,
    int_rows,
    ints,
    records,
    stream_words,
)
from games.fast.searching import CompiledSearch, comparison
from games.rules import search
from games.rules.pazaak.bots import playouts, professor
from games.rules.pazaak.bots.playouts import Workspace
from games.rules.pazaak.bots.sampling import Known, Sampled
from games.rules.pazaak.bots.world import PazaakWorld
from games.rules.pazaak.predicates import MAIN_PACK
from games.rules.pazaak.view import PazaakView
from games.rules.values import Event, Move, Weighing

play_worlds: Final = bound(playouts.play_worlds)
PASSED: Final = 3  # numbers of each amount that the rival let pass


def choose(view: PazaakView, events: Sequence[Event], rng: Random, playouts: int) -> Move:
    return professor.choose(view, events, rng, playouts, compared)


def weigh(view: PazaakView, events: Sequence[Event], rng: Random, playouts: int) -> Weighing:
    return professor.weigh(view, events, rng, playouts, compared)


def compared(known: Known, choices: list[list[int]], rng: Random) -> search.Compare:
    return comparison(play_worlds, rng, *arrays_of(known, choices))


def arrays_of(known: Known, choices: list[list[int]]) -> tuple[Any, Any]:
    """What ``play_worlds`` needs beside words, worlds, moves and totals."""
    as_arrays = Known(
        records(known.worlds, PazaakWorld),
        int_rows(known.unseen, len(MAIN_PACK)),
        int_rows(known.likely, len(MAIN_PACK)),
        ints(known.sizes),
        known.held,
        int_rows(known.passed, PASSED),
    )
    sampled = Sampled(records(known.worlds, PazaakWorld), stream_words(), ints(MAIN_PACK))
    playing = empty_records(1, PazaakWorld)
    return as_arrays, Workspace(
        int_rows(choices, 2), sampled, playing, stream_words(), ints(MAIN_PACK)
    )


def load() -> None:
    """Compiles what ``choose`` calls, or loads it from the disk."""
    nothing = arrays_of(Known([PazaakWorld()], [], [], [], 0, []), [])
    play_worlds(stream_words(), 0, ints([]), floats([]), *nothing)


SEARCHES: Final = {"professor": CompiledSearch(choose, load, weigh)}
