"""Every write of quiet hours and holidays.

A holiday is announced before it begins and counts against its year at once. For an hour it can be
withdrawn, and counts for nobody's clock; then its days are spent, also where it is ended early.
"""

from collections import Counter
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.hours.counting import Rest, day_begins, zone_of
from accounts.hours.models import Holiday, QuietClock
from accounts.hours.refusals import (
    BadHoliday,
    BadHours,
    HolidayIsOver,
    HolidaysOverlap,
    NoSuchHoliday,
    ProgramsDoNotRest,
    TooManyHolidays,
)
from accounts.hours.selectors import (
    CAN_BE_WITHDRAWN,
    MOST_DAYS,
    Hours,
    days_of,
    days_taken,
    holidays_of,
    hours_of,
)
from accounts.models import User
from accounts.notifications import choices
from accounts.services.locking import locked_accounts

AHEAD: Final = timedelta(days=366)


@transaction.atomic
def change(*, user: User, counts: bool | None = None, **times: Any) -> Hours:
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


def announce(*, user: User, first: date, last: date) -> Holiday:
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


def end(*, account: UUID, holiday_id: UUID) -> Holiday | None:
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
        return _ended(row, now)


def _ended(row: Holiday, now: datetime) -> Holiday:
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
