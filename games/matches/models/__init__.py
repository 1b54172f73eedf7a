"""The tables of matches; constraints live here, rules do not.

``Match`` holds the current state, ``Ply`` the log of moves (ply 0 is the deal), ``Round`` each
round's opening, which is the save. The three prove each other: ``manage.py verify_matches``.
States, events, decks and outcomes are msgspec JSON in ``bytes``; the database never looks inside.
"""

from games.matches.models.folded import ArchiveDictionary, ArchivedMatch
from games.matches.models.log import Ply, Round
from games.matches.models.match import Match, new_seed
from games.matches.models.notices import Notice
from games.matches.models.plans import Plan
from games.matches.models.seats import InvitationNews, Seat
from games.matches.models.shared_deal import SharedDeal

__all__ = [
    "ArchiveDictionary",
    "ArchivedMatch",
    "InvitationNews",
    "Match",
    "Notice",
    "Plan",
    "Ply",
    "Round",
    "Seat",
    "SharedDeal",
    "new_seed",
]
