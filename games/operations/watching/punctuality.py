"""Whether opponents move: bot turns that should have been played by now."""

from datetime import timedelta
from typing import Final

from django.db.models import Exists, Min, OuterRef
from django.utils import timezone

from games.absent import of_installed_games
from games.matches.models import Match, Seat

LATE: Final = timedelta(seconds=20)
OF_ONE_MATCH: Final = timedelta(minutes=10)
"""A turn that waits for longer is the fault of its match, which the list of the admin shows."""


def bots_move() -> str:
    """`up`, or for how long the oldest bot turn that a person waits for has been due."""
    now = timezone.now()
    people = Seat.objects.filter(match=OuterRef("pk"), kind__in=["user", "local"])
    late = Match.objects.filter(
        of_installed_games(),
        Exists(people),
        status="active",
        bot_due_at__range=(now - OF_ONE_MATCH, now - LATE),
    )
    oldest = late.aggregate(oldest=Min("bot_due_at"))["oldest"]
    return f"a turn is due for {(now - oldest).total_seconds():.0f} s" if oldest else "up"
