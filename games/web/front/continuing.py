"""The reader's matches that are not over, those that wait for them first."""

from typing import Final
from uuid import UUID

from games.matches.models import Match
from games.web.front.tables import unfinished_of
from games.web.parts.match_list import MatchListing, listing_of

SHOWN: Final = 4


def continuing(user: UUID | None) -> list[MatchListing]:
    if user is None:
        return []
    waits = unfinished_of(user)
    ids = sorted(waits, key=lambda match: not waits[match])[:SHOWN]
    rows = Match.objects.defer("state", "loaded").prefetch_related("seats").in_bulk(ids)
    return [listing_of(rows[match], user) for match in ids]
