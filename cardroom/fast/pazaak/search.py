"""``professor`` compiled: the functions of ``cardroom.rules.pazaak.bots`` on records."""

from functools import cache, partial
from random import Random
from typing import Any, Final

import numpy

from cardroom.fast.binding import (
    CompiledSearch,
    bound,
    comparison,
    floats,
    int_rows,
    ints,
    records,
    stream_words,
)
from cardroom.rules import search
from cardroom.rules.pazaak.bots import outlook, professor
from cardroom.rules.pazaak.bots.outlook import Sight
from cardroom.rules.pazaak.bots.professor import Known, Workspace
from cardroom.rules.pazaak.bots.world import PazaakWorld

weigh_choices: Final = bound(professor.weigh_choices)


def compared(known: Known, choices: list[list[int]], rng: Random) -> search.Compare:
    table = table_of(outlook.name_of(known.world))
    return comparison(weigh_choices, rng, workspace_of(known, choices, table))


def workspace_of(known: Known, choices: list[list[int]], table: Any) -> Workspace:
    return Workspace(
        records([known.world], PazaakWorld),
        records([known.sight], Sight),
        int_rows(choices, 2),
        table,
    )


@cache
def table_of(name: str) -> Any:
    return numpy.array(outlook.read(name), dtype=numpy.int16)


def load() -> None:
    """Compiles what ``choose`` calls, or loads it from the disk."""
    nothing = workspace_of(Known(PazaakWorld(), Sight()), [], numpy.zeros(1, dtype=numpy.int16))
    weigh_choices(stream_words(), 0, ints([]), floats([]), nothing)


choose: Final = partial(professor.choose, comparison=compared)
weigh: Final = partial(professor.weigh, comparison=compared)
SEARCHES: Final = {"professor": CompiledSearch(choose, load, weigh)}
