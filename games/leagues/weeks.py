"""Weeks of UTC, each named by its Monday."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

ONE_WEEK: Final = timedelta(weeks=1)


def monday_of(at: datetime) -> date:
    day = at.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


def beginning_of(monday: date) -> datetime:
    return datetime.combine(monday, time(), UTC)


def end_of(monday: date) -> datetime:
    return beginning_of(monday + ONE_WEEK)
