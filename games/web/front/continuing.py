"""The reader's matches that are not over, those that wait for them first."""

from typing import Final
from uuid import UUID

from games.matches.selectors.newest import NOT_OVER, Sought, newest_seated
from games.web.parts.match_list import MatchListing, listing_of

LOOKED_AT: Final = 30
SHOWN: Final = 4


def continuing(user: UUID | None) -> list[MatchListing]:
    if user is None:
        return []
    matches = newest_seated(user, Sought(statuses=NOT_OVER), most=LOOKED_AT)
    listings = [listing_of(match, user) for match in matches]
    return sorted(listings, key=lambda listing: not listing.is_your_turn)[:SHOWN]
