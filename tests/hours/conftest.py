"""People whose clocks stand still: in their quiet hours, and in holidays."""

from collections.abc import Callable
from datetime import time, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.hours import services
from accounts.hours.models import Holiday
from accounts.models import User

NIGHT = {"time_zone": "Europe/Prague", "quiet_from": time(22), "quiet_until": time(8)}


@pytest.fixture
def sleeps() -> Callable[..., None]:
    """The clocks of a person stand still from 22 to 8 in Prague, or as it says."""

    def sleeps(user: User, **other: object) -> None:
        services.change_hours(user=user, counts=True, **(NIGHT | other))

    return sleeps


@pytest.fixture
def away() -> Callable[..., Holiday]:
    """A holiday that was announced two hours ago: it counts by now."""

    def away(user: User, days: int = 7, begins_in: int = 1) -> Holiday:
        with time_machine.travel(timezone.now() - timedelta(hours=2), tick=False):
            first = timezone.now().date() + timedelta(days=begins_in)
            return services.announce_holiday(
                user=user, first=first, last=first + timedelta(days - 1)
            )

    return away
