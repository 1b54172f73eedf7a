"""The time that is stored and shown: whole milliseconds.

More digits would show how long the service took, and so how much a bot had to think about.
"""

from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

MILLISECOND: Final = timedelta(milliseconds=1)


def now_in_milliseconds() -> datetime:
    now = timezone.now()
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def now_after(previous: datetime) -> datetime:
    """Later than the time of the previous change, so that the two differ."""
    return max(now_in_milliseconds(), previous + MILLISECOND)
