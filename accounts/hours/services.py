"""Quiet hours and holidays: their choice, the reads, and the count of the time that stands still.

A holiday is announced before it begins and counts against its year at once. For an hour it can be
withdrawn, and counts for nobody's clock; then its days are spent, also where it is ended early.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from heapq import merge
from itertools import count
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.hours.models import Holiday, QuietClock
from accounts.locking import locked_accounts
from accounts.models import User
from accounts.notifications import choices
from accounts.notifications.choices import choices_of
from config.refusals import NotFound, Refusal

# From the moment at which a turn begins to its deadline, past the time that does not count.
#
# Quiet hours follow the clock on the wall: they run from the first moment at which it shows their
# beginning to the first at which it shows their end. So in the night in which a clock is set they
# are an hour longer or shorter, and what is left of that day is as long as ever.

MOST_QUIET: Final = timedelta(hours=10)  # of a day: at least fourteen hours count
_DAY: Final = timedelta(days=1)

Window = tuple[datetime, datetime]


class Rest(msgspec.Struct, frozen=True):
    """The times at which the clock of a person stands still.

    Quiet hours without two ends, or with equal ones, are none. ``holidays`` are windows of moments.
    """

    time_zone: str = "UTC"
    quiet_from: time | None = None
    quiet_until: time | None = None
    holidays: tuple[Window, ...] = ()

    @property
    def hours(self) -> tuple[time, timedelta] | None:
        """The begin of the quiet hours and their length: never more than may count."""
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
    """The time when this much has passed since then, rests left out."""
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
    """The time that the clock on the wall shows."""
    return datetime.combine(day, at) + later


def _moment(wall: datetime, zone: ZoneInfo) -> datetime:
    return wall.replace(tzinfo=zone, fold=0).astimezone(UTC)


def _since_midnight(at: time) -> timedelta:
    return timedelta(hours=at.hour, minutes=at.minute, seconds=at.second)


# Rests: whose quiet hours count, and the holidays of each.

MOST_DAYS: Final = 21  # of holiday in a year
CAN_BE_WITHDRAWN: Final = timedelta(hours=1)

# A holiday counts when it can no longer be withdrawn: nobody gets time by it and the days back.
_RESTS: Final = """
SELECT u.id, coalesce(c.time_zone, 'UTC'),
    CASE WHEN q.account_id IS NOT NULL THEN c.quiet_from END,
    CASE WHEN q.account_id IS NOT NULL THEN c.quiet_until END,
    array_agg(h.starts_at ORDER BY h.starts_at) FILTER (WHERE h.id IS NOT NULL),
    array_agg(h.ends_at ORDER BY h.starts_at) FILTER (WHERE h.id IS NOT NULL)
FROM accounts_user u
    LEFT JOIN notifications_choices c ON c.account_id = u.id
    LEFT JOIN hours_quietclock q ON q.account_id = u.id
    LEFT JOIN hours_holiday h ON h.account_id = u.id
        AND h.ends_at > %s AND h.ends_at > h.starts_at AND h.announced_at <= %s
WHERE u.id = ANY(%s) AND NOT u.is_bot AND (q.account_id IS NOT NULL OR h.id IS NOT NULL)
GROUP BY u.id, c.account_id, q.account_id
"""


def rests_of(accounts: Iterable[UUID], now: datetime) -> dict[UUID, Rest]:
    """The rests for turns that begin now, in one statement; only of accounts that rest at all."""
    with connection.cursor() as cursor:
        cursor.execute(_RESTS, [now, now - CAN_BE_WITHDRAWN, list(accounts)])
        return {
            account: Rest(zone, begin, end, tuple(zip(begins or (), ends or (), strict=True)))
            for account, zone, begin, end, begins, ends in cursor.fetchall()
        }


class Hours(Rest, frozen=True):
    """The choice of one account; ``counts``: clocks stand still in the quiet hours."""

    counts: bool = False


def hours_of(account: UUID) -> Hours:
    row = choices_of(account)
    counts = QuietClock.objects.filter(account=account).exists()
    return Hours(row.time_zone, row.quiet_from, row.quiet_until, counts=counts)


def holidays_of(account: UUID) -> QuerySet[Holiday]:
    """All that are stored, the first to begin first."""
    return Holiday.objects.filter(account=account)


def holidays_to_come(accounts: Collection[UUID]) -> dict[UUID, list[Holiday]]:
    """Holidays that others are to know of: not over, by account."""
    rows = Holiday.objects.filter(account__in=accounts, ends_at__gt=timezone.now(), ended_at=None)
    coming: dict[UUID, list[Holiday]] = {}
    for row in rows:
        coming.setdefault(row.account_id, []).append(row)
    return coming


def days_taken(rows: Iterable[Holiday]) -> Counter[int]:
    """Days of holiday by year."""
    return Counter(day.year for row in rows for day in days_of(row.first_day, row.last_day))


def days_of(first: date, last: date) -> list[date]:
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def days_left(account: UUID, year: int) -> int:
    return max(0, MOST_DAYS - days_taken(holidays_of(account))[year])


# Data of an account that are kept here: handing it out, deleting it.

_HOLIDAY = ("first_day", "last_day", "announced_at", "ended_at")


def data_of(account: UUID) -> dict[str, Any]:
    """As plain values. The hours themselves are among the choices of notifications."""
    return {
        "clocks_stand_still_in_quiet_hours": QuietClock.objects.filter(account=account).exists(),
        "holidays": list(Holiday.objects.filter(account=account).values(*_HOLIDAY)),
    }


def forget(account: UUID) -> None:
    for model in (QuietClock, Holiday):
        model.objects.filter(account=account).delete()


# Why quiet hours or a holiday are refused.


class BadHours(Refusal, status=422):
    """These hours cannot be kept."""


class BadHoliday(Refusal, status=422):
    """This holiday cannot be announced."""


class TooManyHolidays(Refusal, status=409):
    """You have not so many days of holiday left in that year."""


class HolidaysOverlap(Refusal, status=409):
    """You have announced a holiday in these days already."""


class ProgramsDoNotRest(Refusal, status=403):
    """The account of a program has no quiet hours and no holidays."""


class NoSuchHoliday(NotFound):
    """You have announced no such holiday."""


class HolidayIsOver(Refusal, status=409):
    """This holiday is over already."""


AHEAD: Final = timedelta(days=366)


@transaction.atomic
def change_hours(*, user: User, counts: bool | None = None, **times: Any) -> Hours:
    """Keeps what is left out. ``times`` are those of the notifications (``choices.change``).

    Holds for turns that begin from now on. Raises ``BadHours``, ``BadChoices`` or
    ``ProgramsDoNotRest``.
    """
    _check_rests(user)
    if times:
        choices.change(user=user, **times)
    if counts is False:
        QuietClock.objects.filter(account=user).delete()
    elif counts:
        QuietClock.objects.get_or_create(account=user)
    hours = hours_of(user.pk)
    if hours.counts:
        _check_counting(hours)
    return hours


def _check_counting(hours: Rest) -> None:
    if hours.hours is None:
        raise BadHours("Choose from when until when your quiet hours are.")
    if hours.quiet_until != (hours.ends or (None, None))[1]:
        raise BadHours("Clocks stand still for at most ten hours of a day.")


def announce_holiday(*, user: User, first: date, last: date) -> Holiday:
    """Raises ``BadHoliday``, ``TooManyHolidays``, ``HolidaysOverlap`` or ``ProgramsDoNotRest``."""
    _check_rests(user)
    with locked_accounts(user.pk):
        zone, now = hours_of(user.pk).time_zone, timezone.now()
        today = now.astimezone(zone_of(zone)).date()
        _check_days(first, last, today)
        _forget_old(user.pk, today)
        _check_free(user.pk, first, last)
        return Holiday.objects.create(
            account=user,
            first_day=first,
            last_day=last,
            starts_at=day_begins(first, zone),
            ends_at=day_begins(last + timedelta(days=1), zone),
            announced_at=now,
        )


def end_holiday(*, account: UUID, holiday_id: UUID) -> Holiday | None:
    """Ends a holiday now, for turns that begin from now on; ``None`` if it was withdrawn.

    Raises ``NoSuchHoliday`` or ``HolidayIsOver``.
    """
    with locked_accounts(account):
        row = holidays_of(account).filter(pk=holiday_id).first()
        if row is None:
            raise NoSuchHoliday
        now = timezone.now()
        if row.ends_at <= now or row.ended_at is not None:
            raise HolidayIsOver
        if now < row.announced_at + CAN_BE_WITHDRAWN:
            row.delete()
            return None
        row.ended_at, row.ends_at = now, max(row.starts_at, min(row.ends_at, now))
        row.save(update_fields=["ended_at", "ends_at"])
        return row


def _check_rests(user: User) -> None:
    if user.is_bot:
        raise ProgramsDoNotRest


def _check_days(first: date, last: date, today: date) -> None:
    if last < first:
        raise BadHoliday("The last day is before the first.")
    if first < today:
        raise BadHoliday("A holiday is announced before it begins.")
    if last > today + AHEAD:
        raise BadHoliday("A holiday is announced at most a year ahead.")


def _check_free(account: UUID, first: date, last: date) -> None:
    rows = list(holidays_of(account))
    taken = days_taken(rows) + Counter(day.year for day in days_of(first, last))
    if any(days > MOST_DAYS for days in taken.values()):
        raise TooManyHolidays
    if any(row.first_day <= last and first <= row.last_day and not row.ended_at for row in rows):
        raise HolidaysOverlap


def _forget_old(account: UUID, today: date) -> None:
    """Two years ago limits nothing any more."""
    holidays_of(account).filter(last_day__lt=date(today.year - 1, 1, 1)).delete()
