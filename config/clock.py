"""The time that is stored and shown: whole milliseconds.

More would tell how long the service took, and so how much a bot had to think about.
"""

from datetime import datetime

from django.utils import timezone


def now_in_milliseconds() -> datetime:
    now = timezone.now()
    return now.replace(microsecond=now.microsecond // 1000 * 1000)
