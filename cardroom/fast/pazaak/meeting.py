"""The compiled form of ``cardroom.rules.pazaak.bots.meeting``."""

from collections.abc import Sequence
from typing import Final

import numpy

from cardroom.fast.binding import bound, empty_records, int_rows, ints, records, stream_words
from cardroom.rules.pazaak.bots import meeting
from cardroom.rules.pazaak.bots.meeting import CardNotes, MeetingScores
from cardroom.rules.pazaak.bots.world import PazaakWorld
from cardroom.rules.pazaak.side_cards import DECK_SIZE

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


def load() -> None:
    """Compiles it, or loads it from the disk."""
    meet([], [], [], [], PazaakWorld())
