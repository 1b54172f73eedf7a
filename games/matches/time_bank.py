"""A bank of time: each person has so many seconds for the whole match, and more with each move.

A bank runs while its person is to act and stands still otherwise. What is stored is what was left
when it was started or stopped last, and, where it runs, the moment at which it is empty. So nothing
has to be written while it runs, and a move is charged by the time that its statement writes.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from cardroom.rules.text import Phrase, say
from config.api.components import drawn

DAY: Final = 24 * 3600
LEAST_BANK: Final = 30
MOST_BANK: Final = 3 * 3600
MOST_INCREMENT: Final = 180
FIRST_MOVE: Final = timedelta(seconds=60)  # of a bank; a limit for a move is that of the first too
A_MINUTE_MORE: Final = 60  # what a player gives the others, unless they say how much
AT_LEAST: Final = timedelta(seconds=10)  # for a person who takes the seat back from a bot

_MILLISECOND: Final = timedelta(milliseconds=1)


class Clock(msgspec.Struct, frozen=True):
    """The terms: seconds for the whole match, and seconds that each move adds."""

    bank: int
    increment: int = 0

    def begun(
        self, people: Collection[int], seats: int, acting: Collection[int], at: datetime
    ) -> "Banks":
        """Full banks for these people; those of the people to act begin to run."""
        full = timedelta(seconds=self.bank)
        whole = full // _MILLISECOND
        left = tuple(whole if seat in people else None for seat in range(seats))
        until = tuple(at + full if seat in acting else None for seat in range(seats))
        return Banks(self.bank, self.increment, left, until)

    def encode(self) -> bytes:
        return msgspec.json.encode(self)


class ClockTerms(Clock, frozen=True, forbid_unknown_fields=True):
    """Seconds that everybody has for the whole match, and seconds that each move adds."""

    bank: Annotated[int, Meta(extra_json_schema=drawn(minimum=LEAST_BANK, maximum=MOST_BANK))]
    increment: Annotated[int, Meta(extra_json_schema=drawn(minimum=0, maximum=MOST_INCREMENT))] = 0


class Banks(Clock, frozen=True):
    """The banks of the seats; ``left`` are milliseconds, ``None`` for a seat without a person.

    Both are empty where the match has not begun, or is shown as it was at an earlier version.
    """

    left: tuple[int | None, ...] = ()
    until: tuple[datetime | None, ...] = ()

    @property
    def terms(self) -> Clock:
        return Clock(self.bank, self.increment)

    def deadline(self, awaited: Collection[int]) -> datetime | None:
        """The time at which the first running bank is empty, or a first move is due."""
        return min(self.ends_of(range(len(self.until)), awaited).values(), default=None)

    @property
    def people(self) -> list[int]:
        return [seat for seat, left in enumerate(self.left) if left is not None]

    def seconds_left(self, seat: int, now: datetime) -> float | None:
        """The time that a seat has left now; ``None`` without a bank."""
        left = self.left[seat] if seat < len(self.left) else None
        end = self.until[seat] if left is not None else None
        if end is not None:
            return max(0.0, (end - now).total_seconds())
        return None if left is None else left / 1000

    def stopped(self) -> "Banks":
        """None runs: an operator took the limit from this move."""
        return replace(self, until=(None,) * len(self.until))

    def after(
        self,
        acting: Collection[int],
        moved: Collection[int],
        goes_on: Collection[int],
        at: datetime,
    ) -> "Banks":
        """The banks once these seats have moved and those are to act.

        A seat that moved is charged the time since its bank was started, and gets the increment.
        ``goes_on`` are seats whose own move brings no new time (``Game.time_goes_on``).
        """
        kept = set(acting).difference(set(moved).difference(goes_on))
        return self._restarted(kept, acting, moved, at)

    def for_those(self, acting: Collection[int], at: datetime) -> "Banks":
        """The same without a move: another person or bot took over a seat."""
        return self._restarted(acting, acting, (), at)

    def _restarted(
        self, kept: Collection[int], acting: Collection[int], moved: Collection[int], at: datetime
    ) -> "Banks":
        left, until = list(self.left), list(self.until)
        for seat in self.people:
            end, rest = until[seat], left[seat] or 0
            if end is not None and seat in kept:
                continue
            if end is not None:
                more = 1000 * self.increment if seat in moved else 0
                rest = max(0, (end - at) // _MILLISECOND) + more
            left[seat] = rest
            until[seat] = at + rest * _MILLISECOND if seat in acting else None
        return replace(self, left=tuple(left), until=tuple(until))

    def running_until(self, ends: Mapping[int, datetime], awaited: Collection[int]) -> "Banks":
        """The same banks, but the time of these seats runs out at the given moments."""
        until, were = list(self.until), self.ends_of(ends, awaited)
        for seat, end in ends.items():
            bank = until[seat]
            until[seat] = end if bank is None else bank + (end - were[seat])
        return replace(self, until=tuple(until))

    def with_at_least(self, seat: int) -> "Banks":
        """A person who comes back has some time, however little was left."""
        least = max(AT_LEAST, timedelta(seconds=self.increment)) // _MILLISECOND
        left = [max(rest or 0, least) if n == seat else rest for n, rest in enumerate(self.left)]
        return replace(self, left=tuple(left))

    def ends_of(self, seats: Iterable[int], awaited: Collection[int] = ()) -> dict[int, datetime]:
        """The time at which each of these seats' time is up, as far as it runs.

        Of those whose first move is ``awaited`` it is the time for that.
        """
        ends = {seat: self.until[seat] for seat in seats if seat < len(self.until)}
        return {
            seat: min(end, self._began(seat, end) + FIRST_MOVE) if seat in awaited else end
            for seat, end in ends.items()
            if end is not None
        }

    def _began(self, seat: int, end: datetime) -> datetime:
        return end - (self.left[seat] or 0) * _MILLISECOND


def shown(seconds: float) -> str:
    """*4:32*; a bank that is not empty never reads 0:00."""
    minutes, rest = divmod(ceil(seconds), 60)
    return f"{minutes}:{rest:02}"


def decoded(text: bytes | None) -> Banks | None:
    return None if text is None else msgspec.json.decode(text, type=Banks)


def terms_of(stored: bytes | memoryview | None) -> Clock | None:
    """The terms in a column of ``Match.clock``."""
    banks = decoded(None if stored is None else bytes(stored))
    return banks.terms if banks else None


def is_in_bounds(clock: Clock) -> bool:
    return LEAST_BANK <= clock.bank <= MOST_BANK and 0 <= clock.increment <= MOST_INCREMENT


# Time limits by name. The names are stored and sent, so they stay.
#
# A pace is a time for each move, or a clock: a bank for the whole match and seconds that each move
# adds. A clock has its numbers for a name: *600+5*. Those who want the same one are paired.

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
