"""What changed in many matches at once, for the streams that send it on.

Each function is one statement, whatever the number of matches.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from psycopg import pq

from games.matches.selectors.access import Wanted, find_each
from games.matches.snapshot import MatchSnapshot

NEWEST = 300  # of an account's matches: as many as news is looked for in

_STAMPS = "SELECT id, version, updated_at FROM games_match WHERE id = ANY(%s)"

_PEOPLE = """
SELECT m.id, m.status = 'open',
    ARRAY(SELECT coalesce(s.user_id, s.invited_id) FROM games_seat s
        WHERE s.match_id = m.id AND coalesce(s.user_id, s.invited_id) IS NOT NULL),
    ARRAY(SELECT n.user_id FROM games_invitationnews n
        WHERE n.match_id = m.id AND n.at > now() - interval '1 minute')
FROM games_match m WHERE m.id = ANY(%s)
"""

_OF_PEOPLE = """
SELECT DISTINCT listed.match_id FROM unnest(%s::uuid[]) AS person(id), LATERAL (
    (SELECT match_id FROM games_seat WHERE user_id = person.id AND match_id > %s
        ORDER BY match_id DESC LIMIT %s)
    UNION ALL
    (SELECT match_id FROM games_seat WHERE invited_id = person.id AND kind = 'open'
        AND match_id > %s ORDER BY match_id DESC LIMIT %s)
    UNION ALL
    (SELECT match_id FROM games_invitationnews WHERE user_id = person.id AND match_id > %s
        ORDER BY match_id DESC LIMIT %s)
) AS listed
"""

_INVITATIONS = """
SELECT match_id, user_id, kind, seat, at FROM games_invitationnews
WHERE match_id = ANY(%s) AND user_id = ANY(%s)
"""

_RUNNING = """
SELECT id FROM games_match
WHERE id = ANY(%s) AND (status IN ('open', 'active') OR finished_at > %s)
"""


class Stamp(NamedTuple):
    """Names a state of a match; also joining, which is no move, changes it."""

    version: int
    updated_at: datetime


class InvitationChange(NamedTuple):
    """What became of an invitation: ``kind`` is one of ``InvitationNews.Kind``."""

    kind: str
    seat: int
    at: datetime


class People(NamedTuple):
    """The people whom a match concerns; ``may_change`` while people still join and leave.

    ``notified`` get news of an invitation now; it may not concern them any longer.
    """

    users: frozenset[UUID]
    may_change: bool
    notified: frozenset[UUID] = frozenset()


def stamp_of(match: MatchSnapshot) -> Stamp:
    return Stamp(match.version, match.updated_at)


def matches_by_id(ids: Collection[UUID]) -> dict[UUID, MatchSnapshot]:
    """The matches as they stand; one that is not there is left out."""
    accesses = find_each([Wanted(match_id) for match_id in ids]) if ids else []
    return {each.match.id: each.match for each in accesses if each is not None}


def stamps_of(ids: Collection[UUID]) -> dict[UUID, Stamp]:
    return {id_: Stamp(version, at) for id_, version, at in _rows(_STAMPS, [list(ids)])}


def people_of(ids: Collection[UUID]) -> dict[UUID, People]:
    """The people who sit in each match or are invited to it."""
    return {
        id_: People(frozenset(users), may_change, frozenset(notified))
        for id_, may_change, users, notified in _rows(_PEOPLE, [list(ids)])
    }


def matches_of(users: Collection[UUID], *, newer_than: UUID | None = None) -> set[UUID]:
    """The newest matches that these people sit in or have news of an invitation to."""
    least = newer_than or UUID(int=0)
    values = [list(users), *[least, NEWEST] * 3]
    return {id_ for (id_,) in _rows(_OF_PEOPLE, values)}


def invitations_in(
    ids: Collection[UUID], users: Collection[UUID]
) -> dict[tuple[UUID, UUID], list[InvitationChange]]:
    """The news of invitations to these matches, by match and person."""
    changes: dict[tuple[UUID, UUID], list[InvitationChange]] = {}
    for match_id, user, *news in _rows(_INVITATIONS, [list(ids), list(users)]):
        changes.setdefault((match_id, user), []).append(InvitationChange(*news))
    return changes


def running_since(ids: Collection[UUID], since: datetime) -> set[UUID]:
    """Those of the matches that were not over before ``since``."""
    return {id_ for (id_,) in _rows(_RUNNING, [list(ids), since])}


def _rows(statement: str, values: list[Any]) -> Iterator[tuple[Any, ...]]:
    """Without matches nothing is read."""
    if not values[0]:
        return
    with connection.cursor() as cursor:
        cursor.cursor.format = pq.Format.BINARY
        cursor.execute(statement, values)
        yield from cursor.fetchall()
