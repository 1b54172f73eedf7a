"""The reader's matches that are not over, those that wait for them first."""

from typing import Final
from uuid import UUID

from games.matches.models import Match
from games.matches.selectors.lists import find_matches
from games.web.parts.match_list import MatchListing, listing_of

LOOKED_AT: Final = 30
SHOWN: Final = 4
NOT_OVER: Final = (Match.Status.OPEN, Match.Status.ACTIVE)


def continuing(user: UUID | None) -> list[MatchListing]:
    if user is None:
        return []
    matches = find_matches(user=user, mine=True).filter(status__in=NOT_OVER, seats__user=user)
    listings = [listing_of(match, user) for match in matches.distinct()[:LOOKED_AT]]
    return sorted(listings, key=lambda listing: not listing.is_your_turn)[:SHOWN]
