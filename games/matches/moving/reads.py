"""Matches for readers: of what the process keeps only the version is asked for, of many at once."""

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
_STILL_SO = """
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
    """As ``find_each``; the error for each if the database is away."""
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
    found = [cache.find(one) for one in wanted]
    right = _still_so(wanted, found)
    unknown = [n for n in range(len(wanted)) if n not in right]
    if unknown:
        read = find_each([wanted[n] for n in unknown])
        for n, access in zip(unknown, read, strict=True):
            found[n] = access
            if access is not None:
                cache.keep(wanted[n], access)
    return found


def _still_so(wanted: Sequence[Wanted], found: Sequence[MatchAccess | None]) -> set[int]:
    """Which of the kept matches and keys are what the database has."""
    rows = [
        (
            *(n, kept.match.id, kept.match.version, kept.match.updated_at),
            *(one.caller.digest, one.caller.scope, kept.user),
        )
        for n, (one, kept) in enumerate(zip(wanted, found, strict=True))
        if kept is not None
    ]
    if not rows:
        return set()
    with connection.cursor() as cursor:
        cursor.cursor.format = pq.Format.BINARY
        cursor.execute(_STILL_SO.format(rows=_KEPT.sql(rows)), _KEPT.values(rows))
        return {n for (n,) in cursor.fetchall()}
