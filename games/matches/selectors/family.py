"""The family of a match: what it was loaded from, and what was loaded from any of these.

A reader finds a relative as everywhere: it is public or has to do with them. Knowing the address of
one match tells nobody that of another.
"""

from typing import Final
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import QuerySet

from games.matches.models import Match

MOST: Final = 1000  # relatives that are read; of a larger family the nearest to its root

_FAMILY: Final = """
WITH RECURSIVE up AS (
    SELECT id, parent_id FROM games_match WHERE id = %(match)s
    UNION ALL SELECT m.id, m.parent_id FROM games_match m JOIN up ON m.id = up.parent_id
), down AS (
    SELECT id FROM up WHERE parent_id IS NULL
    UNION ALL SELECT m.id FROM games_match m JOIN down ON m.parent_id = down.id
), near AS (SELECT id FROM down LIMIT %(most)s), family AS (
    SELECT id FROM near UNION SELECT id FROM up
)
SELECT m.id, m.parent_id,
    (SELECT max(r.number) FROM games_round r
        WHERE r.match_id = m.id AND r.opening_version <= m.parent_version),
    m.visibility = 'public' OR m.creator_id = %(user)s OR EXISTS (
        SELECT FROM games_seat s WHERE s.match_id = m.id
        AND (s.user_id = %(user)s OR (s.invited_id = %(user)s AND s.declined = '')))
FROM family JOIN games_match m USING (id) ORDER BY m.id
"""


class FamilyMember(msgspec.Struct, frozen=True):
    """``loaded_in``: the round of the load, as far as it is known; ``may_find``: by the reader."""

    id: UUID
    parent_id: UUID | None
    loaded_in: int | None
    may_find: bool


def family_of(match_id: UUID, user: UUID | None) -> list[FamilyMember]:
    """The oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(_FAMILY, {"match": match_id, "user": user, "most": MOST})
        return [FamilyMember(*row) for row in cursor.fetchall()]


def members(ids: list[UUID]) -> QuerySet[Match]:
    """The rows of some of them, with their seats, without cards."""
    rows = Match.objects.filter(id__in=ids).defer("state", "loaded", "seed")
    return rows.select_related("creator").prefetch_related("seats")
