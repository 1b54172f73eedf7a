"""Where the history of a match is stored: the part before its load belongs to its parent.

A loaded match has rows of its own for what it played, for the round that it was loaded in, and for
what a re-deal changed of the past. Everything else is read from the match that it was loaded from,
and so on. Matches that were loaded before this was so have all of it in rows of their own.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from django.db import connection

from games.matches.snapshot import LoadOrigin, MatchSnapshot

NEWEST: Final = 2**31 - 1  # later than any version

_LOADS = """
WITH RECURSIVE up AS (
    SELECT id AS of, id, parent_id, parent_version, loaded, 0 AS depth
    FROM games_match WHERE id = ANY(%s)
    UNION ALL SELECT up.of, m.id, m.parent_id, m.parent_version, m.loaded, up.depth + 1
    FROM games_match m JOIN up ON m.id = up.parent_id
)
SELECT of, id, parent_id, parent_version, loaded FROM up WHERE loaded IS NOT NULL ORDER BY depth
"""

_origin = msgspec.json.Decoder(LoadOrigin)


class Load(NamedTuple):
    """``match_id`` was loaded from ``version`` of ``parent_id``."""

    match_id: UUID
    parent_id: UUID
    version: int
    origin: LoadOrigin


class Chapter(NamedTuple):
    """A part of a history and the match that stores it.

    Its plies after ``after`` and up to ``until`` were played in that match. Rows of the versions
    from ``changed_since`` on to ``after`` replace the older chapter's: a re-deal changed them.
    """

    match_id: UUID
    after: int
    until: int
    changed_since: int | None

    def within(self, after: int, until: int) -> tuple[int, int]:
        """The part of ``after < version <= until`` for which it may have plies."""
        begun = self.after if self.changed_since is None else self.changed_since - 1
        return max(after, begun), min(until, self.until)


def loads(match: MatchSnapshot) -> tuple[Load, ...]:
    """How a match was loaded, how its parent was, and so on."""
    if match.loaded_json is None:
        return ()
    return _loads(match.id, match.loaded_json)


def chapters(match: MatchSnapshot) -> tuple[Chapter, ...]:
    """The match's own first, then its parent's, and so on."""
    if match.loaded_json is None:
        return (Chapter(match.id, -1, NEWEST, None),)
    return _chapters(match.id, match.loaded_json)


def chapters_of_each(matches: Sequence[UUID]) -> dict[UUID, tuple[Chapter, ...]]:
    """The same for many loaded matches, read in one statement."""
    by_match = _read_loads(matches) if matches else {}
    return {match_id: _line(match_id, tuple(by_match[match_id])) for match_id in matches}


@lru_cache(maxsize=1024)
def _chapters(match_id: UUID, loaded: bytes) -> tuple[Chapter, ...]:
    return _line(match_id, _loads(match_id, loaded))


def _line(match_id: UUID, loads: Sequence[Load]) -> tuple[Chapter, ...]:
    line, holder, until = [], match_id, NEWEST
    for load in loads:
        if not load.origin.past_in_parent:
            break
        line.append(Chapter(holder, load.version, until, load.origin.retold_since))
        holder, until = load.parent_id, min(until, load.version)
    return (*line, Chapter(holder, -1, until, None))


@lru_cache(maxsize=1024)
def _loads(match_id: UUID, _loaded: bytes) -> tuple[Load, ...]:
    """These never change. A match that was read but not stored has another ``loaded``."""
    return tuple(_read_loads([match_id])[match_id])


def _read_loads(matches: Sequence[UUID]) -> dict[UUID, list[Load]]:
    loads: dict[UUID, list[Load]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_LOADS, [list(matches)])
        for match_id, loaded, parent, version, how in cursor.fetchall():
            loads[match_id].append(Load(loaded, parent, version, _origin.decode(how)))
    return loads
