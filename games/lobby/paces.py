"""How long a player has for a move, by name. The names are stored and sent, so they stay."""

from dataclasses import dataclass
from typing import Final

from games.rules.text import Phrase, say

DAY: Final = 24 * 3600


@dataclass(frozen=True)
class Pace:
    """``is_live``: one sits at the table for the whole match, so that one plays one at a time."""

    slug: str
    turn_seconds: int
    name: Phrase

    @property
    def is_live(self) -> bool:
        return self.turn_seconds < DAY


BLITZ: Final = Pace("blitz", 20, say("Blitz: 20 seconds a move"))
NORMAL: Final = Pace("normal", 60, say("Normal: 60 seconds a move"))
PACES: Final = (
    BLITZ,
    NORMAL,
    Pace("slow_1", DAY, say("Slow: 1 day a move")),
    Pace("slow_3", 3 * DAY, say("Slow: 3 days a move")),
    Pace("slow_7", 7 * DAY, say("Slow: 7 days a move")),
)
_BY_SLUG: Final = {pace.slug: pace for pace in PACES}


def find_pace(slug: str) -> Pace:
    """Raises ``KeyError``."""
    return _BY_SLUG[slug]
