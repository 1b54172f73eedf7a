"""Replaying a record, and saying whether it can be believed."""

from typing import Any

import msgspec

from cardroom.rules.record.format import BadRecord, Fault, Record, read, refuse
from cardroom.rules.record.playback import Playback
from cardroom.rules.values import HistoryStep, Outcome


class Replayed(msgspec.Struct, frozen=True):
    """Where a record ends: the last state (``None``: never started), the outcome, the way there."""

    state: Any
    outcome: Outcome
    history: tuple[HistoryStep, ...]


def replay(record: Record, *, sealed: bool = True) -> Replayed:
    """Plays the record to its end; ``BadRecord`` at the first contradiction.

    ``sealed=False`` takes the listed decks on trust and does not deal them again from the seeds.
    """
    playback = Playback(record, sealed=sealed)
    outcome = play(record, playback)
    return Replayed(playback.state, outcome, tuple(playback.history))


def play(record: Record, playback: Playback) -> Outcome:
    """Plays the record's rounds on a playback of it; ``BadRecord`` at the first contradiction."""
    _check_times(record)
    if record.rounds:
        playback.start()
    for line in record.rounds:
        playback.play_round(line)
    return playback.end()


def verify(record: object) -> Fault | None:
    """``None`` if everything in the record follows from its seed and moves, else the first fault.

    What hangs on the seed of a parent that still runs is taken as listed.
    """
    try:
        replay(record if isinstance(record, Record) else read(record))
    except BadRecord as error:
        return error.fault
    return None


def _check_times(record: Record) -> None:
    if record.rounds and record.started_at is None:
        refuse("A match with rounds has started; started_at says when.")
    if record.started_at is not None and record.started_at > record.finished_at:
        refuse("The match was finished before it started.")
