"""Match records: written, read, replayed and verified (FORMAT.md specifies them).

A record holds everything that is needed to play a finished match again and to check that its
shuffles were sealed beforehand. ``format`` knows the file, ``playback`` plays it again.
"""

from cardroom.rules.record.format import (
    FORMAT,
    MAX_BYTES,
    MAX_LOADS,
    MEDIA_TYPE,
    BadRecord,
    Fault,
    LoadedFrom,
    Record,
    RecordedOutcome,
    RecordedRound,
    RecordedSeat,
    Reshuffled,
    build,
    deck_text,
    entry,
    file_name,
    read,
    write,
)
from cardroom.rules.record.playback import DealtAgain, DeckOrigin, Replayed, deals, replay, verify

__all__ = [
    "FORMAT",
    "MAX_BYTES",
    "MAX_LOADS",
    "MEDIA_TYPE",
    "BadRecord",
    "DealtAgain",
    "DeckOrigin",
    "Fault",
    "LoadedFrom",
    "Record",
    "RecordedOutcome",
    "RecordedRound",
    "RecordedSeat",
    "Replayed",
    "Reshuffled",
    "build",
    "deals",
    "deck_text",
    "entry",
    "file_name",
    "read",
    "replay",
    "verify",
    "write",
]
