"""One answer for a move and for the computer's answer to it, where that comes at once.

The page would learn of the computer's move by its stream and ask again: a second request, a second
panel and a second swap, which together take longer than most computers think.
"""

from time import monotonic, sleep
from typing import Final

from games.matches.selectors.changes import stamps_of
from games.matches.snapshot import MatchSnapshot
from games.matches.turn_queue import class_of

MOST_SECONDS: Final = 0.06  # waited for; a computer that takes longer is told by the stream
SECONDS_BETWEEN_LOOKS: Final = 0.005


def wait_for_quick_computers(match: MatchSnapshot) -> None:
    """Returns once computers that answer at once have moved on from this version, or soon."""
    if match.bot_due_at is None or class_of(match) != "quick":
        return
    until = monotonic() + MOST_SECONDS
    while monotonic() < until:
        sleep(SECONDS_BETWEEN_LOOKS)
        stamp = stamps_of([match.id]).get(match.id)
        if stamp is None or stamp.version > match.version:
            return
