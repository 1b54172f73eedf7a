"""Matches for readers, many at once: of a kept match only its version is read."""

from collections.abc import Sequence

from django.db import connection
from psycopg import pq

from config.postgres.connections import LOST, leave_connection
from config.postgres.rows import Rows
from games.matches.moving.snapshot_cache import SnapshotCache
from games.matches.selectors.access import MatchAccess, Wanted, find_each

_KEPT = Rows(
    {"n": "integer", "id": "uuid", "version": "integer", "at": "timestamp with time zone"}
    | {"digest": "text", "scope": "text", "owner": "uuid"}
)
_CURRENT_SQL = """
SELECT v.n FROM {rows}
CROSS JOIN LATERAL (SELECT * FROM games_match WHERE id = v.id LIMIT 1) m
JOIN accounts_key k ON k.digest = v.digest AND k.user_id = v.owner AND v.scope = ANY(k.scopes)
    AND (k.expires_at IS NULL OR k.expires_at > now())
JOIN accounts_user u ON u.id = k.user_id AND u.is_active
WHERE m.version = v.version AND m.updated_at = v.at AND m.status = 'active'
"""


def read_all(
    wanted: Sequence[Wanted], cache: SnapshotCache
) -> list[MatchAccess | Exception | None]:
    """As ``find_each``; the error for each if the database is unreachable."""
    try:
        return list(_read(wanted, cache))
    except LOST:
        leave_connection()
    try:
        return list(find_each(wanted))
    except LOST as error:
        leave_connection()
        return [error] * len(wanted)


def _read(wanted: Sequence[Wanted], cache: SnapshotCache) -> list[MatchAccess | None]:
    accesses = [cache.find(one) for one in wanted]
    current = _current(wanted, accesses)
    stale = [n for n in range(len(wanted)) if n not in current]
    if stale:
        read = find_each([wanted[n] for n in stale])
        for n, access in zip(stale, read, strict=True):
            accesses[n] = access
            if access is not None:
                cache.keep(wanted[n], access)
    return accesses


def _current(wanted: Sequence[Wanted], accesses: Sequence[MatchAccess | None]) -> set[int]:
    """The numbers of those whose kept match and key are as the database has them."""
    rows = [
        (
            *(n, kept.match.id, kept.match.version, kept.match.updated_at),
            *(one.caller.digest, one.caller.scope, kept.user),
        )
        for n, (one, kept) in enumerate(zip(wanted, accesses, strict=True))
        if kept is not None
    ]
    if not rows:
        return set()
    with connection.cursor() as cursor:
        cursor.cursor.format = pq.Format.BINARY
        cursor.execute(_CURRENT_SQL.format(rows=_KEPT.sql(rows)), _KEPT.values(rows))
        return {n for (n,) in cursor.fetchall()}
