"""What is kept of an account here: handing it out, deleting it."""

from typing import Any
from uuid import UUID

from accounts.hours.models import Holiday, QuietClock

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
