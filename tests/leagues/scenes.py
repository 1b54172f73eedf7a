"""Weeks of leagues for scenes: a day in one, its end, what the beat does then."""

from datetime import UTC, datetime, timedelta
from io import StringIO

from django.core.management import call_command
from django.utils import timezone
from time_machine import travel

from accounts.models import User
from games.leagues import divisions
from games.leagues.models import Line, Week
from games.leagues.rules import ONE_WEEK, beginning_of, monday_of
from games.matches.models import Match
from games.people.counting import LATEST_COMMIT
from games.ratings import rating
from tests.people.ended import between

FIRST = beginning_of(monday_of(datetime.now(UTC)) + ONE_WEEK)
IN_PUBLIC = {"turn_seconds": 60, "visibility": Match.Visibility.PUBLIC}


def day(number=2, week=0):
    """Noon of that day of the week that all scenes begin in."""
    return travel(FIRST + timedelta(weeks=week, days=number, hours=12), tick=True)


def crowd(count, letter="p"):
    return User.objects.bulk_create(
        User(username=f"{letter}{n:02}", display_name=f"{letter} {n:02}", password="!")
        for n in range(count)
    )


def won(winner, loser, **more):
    """A public match that counts, and is rated at once."""
    match = between(winner, loser, **IN_PUBLIC | more)
    rating.rate_finished()
    return match


def over(weeks=1):
    """The beat, once everything that ended before is rated."""
    with travel(FIRST + weeks * ONE_WEEK + 2 * LATEST_COMMIT):
        rating.rate_finished()
        return divisions.turn_weeks()


def recounted(**how):
    out = StringIO()
    with travel(timezone.now() + LATEST_COMMIT * 2):
        call_command("recount", stdout=out, **how)
    return out.getvalue()


def line(person, week=0, game="pisti"):
    monday = FIRST.date() + week * ONE_WEEK
    return Line.objects.get(account=person, week__monday=monday, week__game=game)


def weeks(game="pisti"):
    rows = Week.objects.filter(game=game).order_by("monday")
    return [(row.monday, row.closed_at is not None) for row in rows]
