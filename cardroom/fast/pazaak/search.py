"""``professor``, the coach's luck and the meeting of two side decks, compiled, on records."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Any, Final

import numpy

from cardroom.fast.binding import (
    CompiledPart,
    CompiledSearch,
    bound,
    comparison,
    empty_records,
    float_zeros,
    floats,
    int_rows,
    ints,
    records,
    stream_words,
)
from cardroom.rules import search
from cardroom.rules.pazaak import coaching
from cardroom.rules.pazaak.bots import meeting, outlook, professor
from cardroom.rules.pazaak.bots.meeting import CardNotes, MeetingScores
from cardroom.rules.pazaak.bots.outlook import Sight
from cardroom.rules.pazaak.bots.professor import HIGHEST, Known, Workspace
from cardroom.rules.pazaak.bots.world import PazaakWorld
from cardroom.rules.pazaak.coaching import CHANCES as PLAIN
from cardroom.rules.pazaak.side_cards import DECK_SIZE
from cardroom.rules.pazaak.state import PazaakState
from cardroom.rules.values import Move, Seat

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

# How luck falls: ``cardroom.rules.pazaak.coaching`` on records.

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


def load_luck() -> None:
    """Compiles it, or loads it from the disk."""
    known = Known(PazaakWorld(), Sight())
    weigh_draws(float_zeros(HIGHEST + 1), workspace_of(known, [], numpy.zeros(1, numpy.int16)))


LUCK: Final = CompiledPart(replace(PLAIN, added=added), load_luck)

# How two side decks meet: ``cardroom.rules.pazaak.bots.meeting`` on records.

meet_compiled: Final = bound(meeting.meet)


def meet(
    starts: Sequence[int],
    rivals: Sequence[int],
    meetings: Sequence[Sequence[int]],
    decks: Sequence[Sequence[int]],
    world: PazaakWorld,
) -> MeetingScores:
    scores = numpy.zeros((len(meetings), len(starts)), dtype=numpy.int64)
    notes = empty_records(1, CardNotes)
    meet_compiled(
        stream_words(),
        numpy.array(starts, dtype=numpy.uint64).reshape(-1, 1),
        ints(rivals),
        int_rows(meetings, 3),
        int_rows(decks, DECK_SIZE),
        scores,
        records([world, world], PazaakWorld),
        notes,
    )
    return MeetingScores(scores.tolist(), notes["counts"][0].tolist())


def load_meeting() -> None:
    """Compiles it, or loads it from the disk."""
    meet([], [], [], [], PazaakWorld())


MEETING: Final = CompiledPart(meet, load_meeting)
