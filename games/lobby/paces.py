"""How long a player has, by name. The names are stored and sent, so they stay.

A pace is a time for each move, or a clock: a bank for the whole match and seconds that each move
adds. A clock has its numbers for a name: *600+5*. Those who want the same one are paired.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from cardroom.rules.text import Phrase, say
from games.matches.time_bank import Clock, ClockTerms, is_in_bounds

DAY: Final = 24 * 3600
OF_CLOCKS: Final = "+"  # in every name of a clock, and in no other
PaceName = Literal["blitz", "normal", "slow_1", "slow_3", "slow_7"]
_CLOCK: Final = re.compile(r"([0-9]{1,5})\+([0-9]{1,3})", re.ASCII)


@dataclass(frozen=True)
class Pace:
    """``is_live``: one sits at the table for the whole match, so that one plays one at a time."""

    slug: str
    turn_seconds: int | None
    name: Phrase
    clock: ClockTerms | None = None

    @property
    def is_live(self) -> bool:
        return self.turn_seconds is None or self.turn_seconds < DAY


def clock_pace(clock: Clock) -> Pace:
    terms = ClockTerms(clock.bank, clock.increment)
    minutes, rest = divmod(clock.bank, 60)
    bank = f"{minutes}:{rest:02}"
    name = say("Clock: {bank} and {seconds} s a move", bank=bank, seconds=clock.increment)
    return Pace(f"{clock.bank}{OF_CLOCKS}{clock.increment}", None, name, terms)


BLITZ: Final = Pace("blitz", 20, say("Blitz: 20 seconds a move"))
NORMAL: Final = Pace("normal", 60, say("Normal: 60 seconds a move"))
PACES: Final = (
    BLITZ,
    NORMAL,
    Pace("slow_1", DAY, say("Slow: 1 day a move")),
    Pace("slow_3", 3 * DAY, say("Slow: 3 days a move")),
    Pace("slow_7", 7 * DAY, say("Slow: 7 days a move")),
)
CLOCKS: Final = tuple(
    clock_pace(Clock(60 * minutes, seconds))
    for minutes, seconds in ((3, 2), (5, 3), (10, 5), (20, 10))
)
"""The clocks that the pages offer."""

_BY_SLUG: Final = {pace.slug: pace for pace in PACES}


def is_pace(slug: str) -> bool:
    """Whether this release knows the pace; a newer one may have written it."""
    try:
        find_pace(slug)
    except KeyError:
        return False
    return True


def find_pace(slug: str) -> Pace:
    """Raises ``KeyError``."""
    digits = _CLOCK.fullmatch(slug)
    if digits is None:
        return _BY_SLUG[slug]
    clock = Clock(int(digits[1]), int(digits[2]))
    if not is_in_bounds(clock):
        raise KeyError(slug)
    return clock_pace(clock)
