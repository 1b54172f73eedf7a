"""The playouts of the second professor and of plain searches, compiled."""

from random import Random
from typing import Any, Final

from games.fast.binding import (
    bound,
    empty_records,
    int_rows,
    ints,
    records,
    stream_words,
)
from games.fast.searching import comparison
from games.rules import search
from games.rules.pazaak.bots.world import PazaakWorld
from games.rules.pazaak.predicates import MAIN_PACK
from tests.strength.opponents.second_professor import playouts
from tests.strength.opponents.second_professor.playouts import Workspace
from tests.strength.opponents.second_professor.sampling import Known, Sampled

play_worlds: Final = bound(playouts.play_worlds)
PASSED: Final = 3  # numbers of each amount that the rival let pass


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
