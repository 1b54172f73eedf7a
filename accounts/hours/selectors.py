"""What rests: whose quiet hours count, and the holidays of each."""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from accounts.hours.counting import Rest
from accounts.hours.models import Holiday, QuietClock
from accounts.notifications.choices import choices_of

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
    """What holds for turns that begin now, in one statement; only accounts that rest at all."""
    with connection.cursor() as cursor:
        cursor.execute(_RESTS, [now, now - CAN_BE_WITHDRAWN, list(accounts)])
        return {
            account: Rest(zone, begin, end, tuple(zip(begins or (), ends or (), strict=True)))
            for account, zone, begin, end, begins, ends in cursor.fetchall()
        }


class Hours(Rest, frozen=True):
    """What one account chose; ``counts``: clocks stand still in the quiet hours."""

    counts: bool = False


def hours_of(account: UUID) -> Hours:
    row = choices_of(account)
    counts = QuietClock.objects.filter(account=account).exists()
    return Hours(row.time_zone, row.quiet_from, row.quiet_until, counts=counts)


def holidays_of(account: UUID) -> QuerySet[Holiday]:
    """All that are stored, the first to begin first."""
    return Holiday.objects.filter(account=account)


def holidays_to_come(accounts: Collection[UUID]) -> dict[UUID, list[Holiday]]:
    """Those that others are to know of: not over, by account."""
    rows = Holiday.objects.filter(account__in=accounts, ends_at__gt=timezone.now(), ended_at=None)
    coming: dict[UUID, list[Holiday]] = {}
    for row in rows:
        coming.setdefault(row.account_id, []).append(row)
    return coming


def days_taken(rows: Iterable[Holiday]) -> Counter[int]:
    """How many days of holiday each year has."""
    return Counter(day.year for row in rows for day in days_of(row.first_day, row.last_day))


def days_of(first: date, last: date) -> list[date]:
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def days_left(account: UUID, year: int) -> int:
    return max(0, MOST_DAYS - days_taken(holidays_of(account))[year])
