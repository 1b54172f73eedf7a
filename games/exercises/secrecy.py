"""Whose secret an exercise is: asked when it is made, and again whenever it is shown.

A match that was public may be private by now, and another match may use its cards again.
"""

from uuid import UUID

from games.exercises.models import Exercise
from games.matches.models import Match
from games.matches.selectors.access import SERVICE, find_match
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot


def is_for_all(match: MatchSnapshot) -> bool:
    """Whether anybody may read all of a match that was played to its end."""
    is_public = match.visibility == Match.Visibility.PUBLIC
    return match.status == Match.Status.FINISHED and is_public and may_tell_all(match, None)


def is_shown(row: Exercise, reader: UUID | None) -> bool:
    """Own mistakes to their owner alone; what came with the software to everybody."""
    if row.owner_id is not None:
        return row.owner_id == reader
    if row.withdrawn_at is not None:
        return False
    if row.match_id is None:
        return True
    access = find_match(row.match_id, SERVICE)
    return access is not None and is_for_all(access.match)
