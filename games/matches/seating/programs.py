"""Bot accounts at a table: whether one takes a seat, and how many matches it opens.

What a bot account plays an app above knows (``config.offers``: ``refuses_seat``).
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from accounts.models import User
from config.offers import offered
from config.uuid7 import least_uuid7
from games.matches.models import Match
from games.matches.refusals import ProgramDeclines, TooManyOpenings

AN_HOUR: Final = timedelta(hours=1)


def judge_seats(row: Match, people: Collection[UUID], *, by_pairing: bool = False) -> None:
    """Raises ProgramDeclines if one of these bot accounts does not play this match."""
    for account in User.objects.filter(pk__in=people) if people else ():
        for refuses in offered("refuses_seat"):
            if sentence := refuses(account, row, by_pairing=by_pairing):
                raise ProgramDeclines(sentence)


def judge_openings(row: Match) -> None:
    """Fair use: a bot account opens so many matches an hour, challenges included."""
    since = least_uuid7(timezone.now() - AN_HOUR)
    lately = Match.objects.filter(creator=row.creator_id, id__gt=since)
    if lately.count() >= (most := settings.LIMITS["program_openings"]):
        raise TooManyOpenings(limit=most)
