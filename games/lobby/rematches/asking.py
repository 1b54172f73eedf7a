"""Asking for a rematch, and saying no to one.

Everybody presses the same button: the first opens the rematch, the others join it. Both acts lock
the match that was played, so a rematch is opened once however many press at the same moment.
"""

from typing import Final
from uuid import UUID

from django.db import transaction

from accounts.models import User
from games.lobby.rematches import series
from games.matches.refusals import MatchNotOpen
from games.matches.seating import party
from games.matches.seating.rematch import decline_rematch, open_rematch
from games.matches.snapshot import MatchSnapshot

_TRIES: Final = 3


def ask(*, match_id: UUID, user: User) -> MatchSnapshot:
    """Seats the user at the rematch; opens it where there is none, or it was just cancelled."""
    for left in reversed(range(_TRIES)):
        try:
            return party.seat_guests(match_id, _with_them(match_id, user))
        except MatchNotOpen:
            if not left:
                raise
    raise AssertionError("the last try returns or raises")


@transaction.atomic
def _with_them(match_id: UUID, user: User) -> MatchSnapshot:
    match = open_rematch(match_id=match_id, user=user)
    series.note(match)
    return match


def refuse(*, match_id: UUID, user: User) -> MatchSnapshot:
    """No rematch with this person, who was asked or had asked; the match that was played."""
    return decline_rematch(match_id=match_id, user=user)
