"""Places of the history of a match: the part before its load is stored with its parent.

A loaded match has rows of its own for what it played, for the round that it was loaded in, and for
what a re-deal changed of the past. Everything else is read from the match that it was loaded from,
and so on. Matches that were loaded before this was so have all of it in rows of their own.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import QuerySet

from games.matches.folded import folded_rounds, folded_rounds_of_each
from games.matches.models import Match, Round
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
    """The loads of a match, its parent, and so on."""
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


# The rounds of a match, those of its past included (``lineage``).


def rounds_of_match(match: MatchSnapshot, *, with_cards: bool = True) -> list[Round]:
    """Every round, undone ones too, in the order in which they opened."""
    if match.state_json is None:
        return []
    line = chapters(match)
    stored = _stored([chapter.match_id for chapter in line], with_cards=with_cards)
    for chapter in line:
        if chapter.match_id not in stored:
            stored[chapter.match_id] = folded_rounds(chapter.match_id)
    return _history(line, stored)


def closed_scores_of_each(matches: Iterable[Match]) -> dict[UUID, list[list[int]]]:
    """The scores of the rounds of many matches that are over, in a handful of statements."""
    loaded = [match.id for match in matches if match.parent_id is not None]
    lines: dict[UUID, tuple[Chapter, ...]]
    lines = {match.id: (Chapter(match.id, -1, NEWEST, None),) for match in matches}
    lines |= chapters_of_each(loaded)
    holders = {chapter.match_id for line in lines.values() for chapter in line}
    stored = _stored(list(holders), with_cards=False)
    stored |= folded_rounds_of_each([holder for holder in holders if holder not in stored])
    return {match: _scores(_history(line, stored)) for match, line in lines.items()}


def _scores(rounds: Iterable[Round]) -> list[list[int]]:
    standing = [one for one in rounds if one.undone_at is None and one.scores is not None]
    return [one.scores or [] for one in sorted(standing, key=lambda one: one.number)]


def _history(line: Sequence[Chapter], stored: Mapping[UUID, list[Round]]) -> list[Round]:
    """The rounds of all chapters, in the order in which they opened."""
    history: list[Round] = []
    for chapter in reversed(line):
        own = stored.get(chapter.match_id, [])
        history = [*_past(history, own, chapter.after), *own]
    return sorted(history, key=lambda one: (one.opening_version, one.number))


def _stored(matches: list[UUID], *, with_cards: bool) -> dict[UUID, list[Round]]:
    """By match, those that are not folded."""
    stored: dict[UUID, list[Round]] = defaultdict(list)
    for row in _rows(matches, with_cards=with_cards):
        stored[row.match_id].append(row)
    return stored


def _rows(matches: list[UUID], *, with_cards: bool) -> list[Round]:
    rounds = Round.objects.filter(match_id__in=matches).order_by("opening_version", "number")
    return list(rounds if with_cards else rounds.defer("opening_state", "decks"))


def _past(history: list[Round], own: list[Round], begun: int) -> list[Round]:
    """The rounds that a match takes over with its load: it has no row of them.

    Rounds that were undone in the parent later still stand in this match.
    """
    replaced = {one.number for one in own if one.opening_version <= begun}
    return [
        _standing(one) for one in history if stands_at(one, begun) and one.number not in replaced
    ]


def _standing(round_: Round) -> Round:
    if round_.undone_at is None:
        return round_
    stands = copy(round_)
    stands.undone_at = None
    return stands


def stands_at(round_: Round, version: int) -> bool:
    """Whether it had opened by a version and no roll-back had undone it by then."""
    undone = round_.undone_at is not None and round_.undone_at <= version
    return round_.opening_version <= version and not undone


def standing_rounds(match: MatchSnapshot, version: int, *, with_cards: bool = True) -> list[Round]:
    """The rounds up to a version that no roll-back had undone by then, the running one last."""
    rounds = rounds_of_match(match, with_cards=with_cards)
    return [one for one in rounds if stands_at(one, version)]


def undone_spans(match: MatchSnapshot) -> list[tuple[int, int]]:
    """For each roll-back, those of its past included: the opening it went back to, its version."""
    if match.state_json is None:
        return []
    line = chapters(match)
    stored = _stored([chapter.match_id for chapter in line], with_cards=False)
    spans: dict[int, int] = {}
    for chapter in line:
        until = min(chapter.until, match.version)
        for one in stored.get(chapter.match_id) or folded_rounds(chapter.match_id):
            if one.undone_at is not None and one.undone_at <= until:
                first = spans.get(one.undone_at, one.opening_version)
                spans[one.undone_at] = min(first, one.opening_version)
    return [(first, last) for last, first in spans.items()]


# The family of a match: what it was loaded from, and what was loaded from any of these.
#
# A reader finds a relative as everywhere: it is public or has to do with them. Knowing the
# address of one match tells nobody that of another.

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
