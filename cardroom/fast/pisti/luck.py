"""The compiled form of ``cardroom.rules.pisti.coaching``."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from cardroom.fast.binding import (
    bound,
    drawing_from,
    empty_records,
    float_zeros,
    floats,
    ints,
    records,
    stream_words,
)
from cardroom.rules.pisti import coaching
from cardroom.rules.pisti.bots.world import SEATS, PistiWorld
from cardroom.rules.pisti.coaching import CHANCES as PLAIN
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.values import Move, Seat

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


def load() -> None:
    """Compiles it, or loads it from the disk."""
    lot, sums = ints(range(2 * SEATS * SEATS)), float_zeros(2 * SEATS)
    compare_deals(stream_words(), 0, empty_records(2, PistiWorld), lot, 0, sums)


CHANCES: Final = replace(PLAIN, added=added)
