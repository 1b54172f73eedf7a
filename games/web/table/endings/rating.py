"""What a rated match made of the ratings of those who played it, beside its result."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.utils import timezone

from games.matches.snapshot import MatchSnapshot
from games.ratings.people.changes import RatingChange, at_table, changes_of

WAITED_FOR: Final = timedelta(seconds=60)  # the worker that rates is behind, or there is none


@dataclass(frozen=True)
class ChangeLine:
    name: str
    change: RatingChange
    is_own: bool


@dataclass(frozen=True)
class RatingChanges:
    """``is_waiting``: they are computed a moment after the end, and a page asks for them again."""

    match_id: UUID
    lines: list[ChangeLine]
    is_waiting: bool


def rating_changes(match: MatchSnapshot, reader: UUID | None) -> RatingChanges | None:
    if match.status != "finished" or not match.rated:
        return None
    own, changes = match.seats_of(reader), at_table(changes_of(match.id), match.seats)
    if match.is_mirrored and not changes:
        return None  # the whole set is rated, at its last match
    lines = [ChangeLine(match.names[one.seat], one, one.seat in own) for one in changes]
    lines.sort(key=lambda line: (not line.is_own, -line.change.by))
    is_new = match.updated_at > timezone.now() - WAITED_FOR
    has_people = any(seat.user_id is not None for seat in match.seats)
    return RatingChanges(match.id, lines, not lines and is_new and has_people)
