"""Playing due turns: one task takes those of a class until none is left or its time is up.

Quick turns are taken many at a time: one read, a run of moves for each match, one write. The task
stays for a moment after the last one, because a task costs more than many turns. Slow turns and
those of matches without a person are taken one by one: each may take long, and others wait.
"""

from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Final

from redis.exceptions import RedisError

from config.postgres.connections import LOST, leave_connection, plan_for_few_rows
from games.matches import turn_queue
from games.matches.announcements import send_drain
from games.matches.turn_queue import Taken, TurnClass
from games.matches.turns.bot_turns import play_turns

# Of one task. The workers of costly turns have other things to do in between.
SECONDS: Final[dict[TurnClass, float]] = {"quick": 2.0, "slow": 1.0, "alone": 0.5}
AT_ONCE: Final[dict[TurnClass, int]] = {"quick": 64, "slow": 1, "alone": 1}
STAYS: Final[dict[TurnClass, float]] = {"quick": 0.3, "slow": 0.0, "alone": 0.0}


def drain(turn_class: TurnClass) -> int:
    """Plays due turns, one account after the other; how many. Sends a task for the rest."""
    plan_for_few_rows()
    if not STAYS[turn_class]:
        turn_queue.release_task(turn_class)  # the next due turn sends another task
    try:
        played = _play_all(turn_class)
    finally:
        if STAYS[turn_class]:
            with suppress(RedisError):  # then the reservation runs out
                turn_queue.release_task(turn_class)
    seconds = turn_queue.reserve_next_task(turn_class)
    if seconds is not None:
        send_drain(turn_class, seconds)
    return played


def _play_all(turn_class: TurnClass) -> int:
    until, played, stays = monotonic() + SECONDS[turn_class], 0, STAYS[turn_class]
    has_help = not stays
    while monotonic() < until:
        turns, more = turn_queue.take_some(turn_class, AT_ONCE[turn_class], stays=stays > 0)
        if more and not has_help:
            has_help = True
            send_drain(turn_class)
        _play(turns)
        played += len(turns)
        if not more and not (stays and turn_queue.wait(turn_class, stays)):
            break
    return played


def _play(turns: Sequence[Taken]) -> None:
    """Plays them, once more if the connection is lost: the versions show what was written."""
    try:
        play_turns(turns)
    except LOST:
        leave_connection()
        play_turns(turns)
