"""The compiled form of ``cardroom.rules.pazaak.coaching``."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

import numpy

from cardroom.fast.binding import bound, float_zeros
from cardroom.fast.pazaak.search import table_of, workspace_of
from cardroom.rules.pazaak import coaching
from cardroom.rules.pazaak.bots import outlook, professor
from cardroom.rules.pazaak.bots.outlook import Sight
from cardroom.rules.pazaak.bots.professor import HIGHEST, Known
from cardroom.rules.pazaak.bots.world import PazaakWorld
from cardroom.rules.pazaak.coaching import CHANCES as PLAIN
from cardroom.rules.pazaak.state import PazaakState
from cardroom.rules.values import Move, Seat

weigh_draws: Final = bound(professor.weigh_draws)


def added(
    before: PazaakState | None,
    after: PazaakState,
    seat: Seat,
    move: Move,
    bots: Sequence[str],
    rng: Random,
) -> Sequence[float]:
    return coaching.added(before, after, seat, move, bots, rng, worths_of_draws)


def worths_of_draws(known: Known) -> list[float]:
    worths = float_zeros(HIGHEST + 1)
    table = table_of(outlook.name_of(known.world))
    weigh_draws(worths, workspace_of(known, [], table))
    return worths.tolist()  # type: ignore[no-any-return]


def load() -> None:
    """Compiles it, or loads it from the disk."""
    known = Known(PazaakWorld(), Sight())
    weigh_draws(float_zeros(HIGHEST + 1), workspace_of(known, [], numpy.zeros(1, numpy.int16)))


CHANCES: Final = replace(PLAIN, added=added)
