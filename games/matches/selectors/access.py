"""The one SELECT of the move path: key, user, match, seats and the answered idempotency key."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.db import connection, models
from psycopg import pq

from config.postgres.arrays import Rows
from games.matches.models import Match, Seat
from games.matches.snapshot import MatchSnapshot, SeatSnapshot, columns

_WANTED = Rows(
    {"n": "integer", "id": "uuid", "digest": "text", "scope": "text", "user_id": "uuid"}
    | {"key": "text"}
)

# The limits of one make Postgres look each row up by its index, where tables that were empty a
# moment ago might have it read a whole table or index for each statement.
_FIND = f"""
SELECT v.n, {", ".join(f"m.{column}" for column in columns(MatchSnapshot))},
    (SELECT true FROM games_match loaded WHERE loaded.parent_id = m.id LIMIT 1) IS NOT NULL,
    (SELECT json_agg(json_build_array({", ".join(f"s.{c}" for c in columns(SeatSnapshot))})
        ORDER BY s.index)::text FROM games_seat s WHERE s.match_id = m.id),
    u.id, {{answered}}
FROM {{rows}}
CROSS JOIN LATERAL (SELECT * FROM games_match WHERE id = v.id LIMIT 1) m
LEFT JOIN accounts_key k ON k.digest = v.digest AND v.scope = ANY(k.scopes)
    AND (k.expires_at IS NULL OR k.expires_at > now())
LEFT JOIN accounts_user u ON u.id = coalesce(k.user_id, v.user_id) AND u.is_active
"""  # noqa: S608 - the names are our own
# Left out where nobody has a key: it opens every partition of the plies.
_BY_KEY: Final = """
LEFT JOIN games_ply p ON p.match_id = m.id AND p.key = v.key AND p.seat IN (
    SELECT s.index FROM games_seat s WHERE s.match_id = m.id AND s.user_id = u.id)
"""


_seats = msgspec.json.Decoder(tuple[SeatSnapshot, ...])


@dataclass(frozen=True)
class Caller:
    """The caller: a signed-in user, the digest of a key, or nobody (the service itself).

    ``scope`` is what the key has to allow. With a digest ``user`` is the key's owner as far as
    that is known.
    """

    user: UUID | None = None
    digest: str | None = None
    scope: str | None = None


SERVICE: Final = Caller()


class Wanted(NamedTuple):
    """A match to be found, its caller, and the idempotency key that may have an answer already."""

    match_id: UUID
    caller: Caller = SERVICE
    key: str | None = None


@dataclass(frozen=True)
class MatchAccess:
    """A match for a caller, with the caller's id and the version that the idempotency key made."""

    match: MatchSnapshot
    user: UUID | None
    answered_version: int | None = None


def find_match(match_id: UUID, caller: Caller, key: str | None = None) -> MatchAccess | None:
    """The match for a caller in one SELECT, ``None`` if there is no such match.

    With a digest the key is looked up in the same statement; ``MatchAccess.user`` is then its
    owner, or ``None`` for a key that is unknown, expired, without the scope or whose user is not
    active.
    """
    return find_each([Wanted(match_id, caller, key)])[0]


def find_each(wanted: Sequence[Wanted]) -> list[MatchAccess | None]:
    """The same for many in one SELECT, in their order."""
    rows = [
        (n, one.match_id, one.caller.digest, one.caller.scope, _signed_in(one.caller), one.key)
        for n, one in enumerate(wanted)
    ]
    accesses: list[MatchAccess | None] = [None] * len(wanted)
    if not rows:
        return accesses
    keyed = any(one.key is not None for one in wanted)
    sql = _FIND.format(rows=_WANTED.sql(rows), answered="p.version" if keyed else "NULL::integer")
    with connection.cursor() as cursor:
        cursor.cursor.format = pq.Format.BINARY
        cursor.execute(sql + _BY_KEY * keyed, _WANTED.values(rows))
        for n, *values, seats, user, answered in cursor.fetchall():
            values.append(_seats.decode(seats or "[]"))
            accesses[n] = MatchAccess(MatchSnapshot(*values), user, answered)
    return accesses


def _signed_in(caller: Caller) -> UUID | None:
    return caller.user if caller.digest is None else None


def snapshot_of(row: Match, seats: Iterable[Seat]) -> MatchSnapshot:
    """The match of these rows, read or not yet written."""
    values = _values(row, MatchSnapshot)
    values.append(False)  # only what was dealt can have been loaded; ``find_match`` reads that
    values.append(tuple(map(seat_snapshot_of, seats)))
    return MatchSnapshot(*values)


def seat_snapshot_of(row: Seat) -> SeatSnapshot:
    return SeatSnapshot(*_values(row, SeatSnapshot))


def _values(row: models.Model, struct: type[msgspec.Struct]) -> list[Any]:
    """As the SELECT above would give them."""
    values = [(column, getattr(row, column)) for column in columns(struct)]
    return [
        bytes(value)
        if isinstance(value, memoryview)
        else tuple(value)
        if column == "side_deck" and value is not None
        else value
        for column, value in values
    ]


def get_match(match_id: UUID) -> MatchSnapshot:
    """The match for the service itself; ``Match.DoesNotExist``."""
    access = find_match(match_id, SERVICE)
    if access is None:
        raise Match.DoesNotExist(match_id)
    return access.match


# Changes of many matches at once, for the streams that send it on.
#
# Each function is one statement, whatever the number of matches.

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
    """News of an invitation: ``kind`` is one of ``InvitationNews.Kind``."""

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
    """The matches that were not over before ``since``."""
    return {id_ for (id_,) in _rows(_RUNNING, [list(ids), since])}


def _rows(statement: str, values: list[Any]) -> Iterator[tuple[Any, ...]]:
    """Without matches nothing is read."""
    if not values[0]:
        return
    with connection.cursor() as cursor:
        cursor.cursor.format = pq.Format.BINARY
        cursor.execute(statement, values)
        yield from cursor.fetchall()
