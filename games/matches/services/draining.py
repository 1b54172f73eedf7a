"""Playing what is due: one task takes the turns of a class until none is left or its time is up."""

from time import monotonic
from typing import Final

import structlog
from django.db import Error

from games.matches import turn_queue
from games.matches.announcements import send_drain
from games.matches.services.bot_turns import play_bot_turns
from games.matches.turn_queue import Taken, TurnClass

# Of one task. The workers of costly turns have other things to do in between.
SECONDS: Final[dict[TurnClass, float]] = {"quick": 2.0, "slow": 1.0, "alone": 0.5}

log = structlog.get_logger(__name__)


def drain(turn_class: TurnClass) -> int:
    """Plays due turns, an account's after the other's; how many. Asks for a task for the rest."""
    until, played = monotonic() + SECONDS[turn_class], 0
    turn_queue.begin(turn_class)
    while monotonic() < until and (turn := turn_queue.take(turn_class)):
        _play(turn)
        played += 1
    seconds = turn_queue.ask_again_in(turn_class)
    if seconds is not None:
        send_drain(turn_class, seconds)
    return played


def _play(turn: Taken) -> None:
    """A match that fails must not stop the others; without a database none can be played."""
    try:
        play_bot_turns(match_id=turn.match_id, version=turn.version)
    except Error:
        raise
    except Exception:
        log.exception("turn_failed", match=str(turn.match_id))
