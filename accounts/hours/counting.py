"""From the moment at which a turn begins to its deadline, past the time that does not count.

Quiet hours follow the clock on the wall: they run from the first moment at which it shows their
beginning to the first at which it shows their end. So in the night in which a clock is set they are
an hour longer or shorter, and what is left of that day is as long as ever.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from heapq import merge
from itertools import count
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

MOST_QUIET: Final = timedelta(hours=10)  # of a day: at least fourteen hours count
_DAY: Final = timedelta(days=1)

Window = tuple[datetime, datetime]


class Rest(msgspec.Struct, frozen=True):
    """When the clock of a person stands still.

    Quiet hours without two ends, or with equal ones, are none. ``holidays`` are windows of moments.
    """

    time_zone: str = "UTC"
    quiet_from: time | None = None
    quiet_until: time | None = None
    holidays: tuple[Window, ...] = ()

    @property
    def hours(self) -> tuple[time, timedelta] | None:
        """When the quiet hours begin, and how long they are: never more than may count."""
        if self.quiet_from is None or self.quiet_until is None:
            return None
        length = (_since_midnight(self.quiet_until) - _since_midnight(self.quiet_from)) % _DAY
        return (self.quiet_from, min(length, MOST_QUIET)) if length else None

    @property
    def ends(self) -> tuple[time, time] | None:
        """The quiet hours that count, as times of day."""
        if self.hours is None:
            return None
        begin, length = self.hours
        return begin, _wall(date.min, begin, length).time()


def deadline(since: datetime, allowed: timedelta, rest: Rest) -> datetime:
    """When this much time has passed since then, what rests left out."""
    at, left = since, allowed
    for begin, end in _windows(rest, since):
        if begin - at >= left:
            break
        left -= max(begin - at, timedelta())
        at = max(at, end)
    return at + left


def zone_of(name: str) -> ZoneInfo:
    """The zone of this name; UTC where this machine no longer knows it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def day_begins(day: date, zone: str) -> datetime:
    """Midnight before this day."""
    return _moment(datetime.combine(day, time()), zone_of(zone))


def _windows(rest: Rest, since: datetime) -> Iterator[Window]:
    """The windows that end after this moment, by their beginnings; quiet hours never end."""
    both = merge(_quiet(rest, since), sorted(rest.holidays))
    return (window for window in both if window[1] > max(since, window[0]))


def _quiet(rest: Rest, since: datetime) -> Iterator[Window]:
    if rest.hours is None:
        return
    (begin, length), zone = rest.hours, zone_of(rest.time_zone)
    first = since.astimezone(zone).date() - _DAY
    for days in count():
        day = first + days * _DAY
        yield (
            _moment(_wall(day, begin), zone),
            _moment(_wall(day, begin, length), zone),
        )


def _wall(day: date, at: time, later: timedelta = timedelta()) -> datetime:
    """What the clock on the wall shows."""
    return datetime.combine(day, at) + later


def _moment(wall: datetime, zone: ZoneInfo) -> datetime:
    return wall.replace(tzinfo=zone, fold=0).astimezone(UTC)


def _since_midnight(at: time) -> timedelta:
    return timedelta(hours=at.hour, minutes=at.minute, seconds=at.second)
