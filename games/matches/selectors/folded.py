"""Matches whose plies and rounds were folded into one row (``history.folding``).

Only matches that are over, with all their relatives, are folded. A reader that finds no plies or
rounds of a match that was dealt looks here.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from uuid import UUID

from games.matches.folded import rows_of
from games.matches.models import ArchiveDictionary, ArchivedMatch, Ply, Round
from games.matches.snapshot import MatchSnapshot


def folded_plies(match_id: UUID, after: int, until: int) -> list[Ply]:
    """The plies with ``after < version <= until`` in order; none of a match that is not folded."""
    return [ply for ply in _rows(match_id)[0] if after < ply.version <= until]


def folded_rounds(match_id: UUID) -> list[Round]:
    """Every round in the order in which they opened."""
    return list(_rows(match_id)[1])


def folded_rounds_of_each(matches: Sequence[UUID]) -> dict[UUID, list[Round]]:
    """The same for many matches, read in one statement; those that are not folded are left out."""
    stored = ArchivedMatch.objects.filter(match_id__in=matches)
    rows = stored.values_list("match_id", "data", "dictionary_id") if matches else ()
    return {match: list(_unfolded(match, bytes(data), words)[1]) for match, data, words in rows}


def answered_when_folded(match: MatchSnapshot, seats: Iterable[int], key: str) -> int | None:
    """The version that an idempotency key made at one of these seats."""
    own = set(seats)
    return next((p.version for p in _rows(match.id)[0] if p.key == key and p.seat in own), None)


def _rows(match_id: UUID) -> tuple[list[Ply], list[Round]]:
    stored = ArchivedMatch.objects.filter(match_id=match_id)
    row = stored.values_list("data", "dictionary_id").first()
    return ([], []) if row is None else _unfolded(match_id, bytes(row[0]), row[1])


@lru_cache(maxsize=64)
def _unfolded(match_id: UUID, data: bytes, dictionary: int) -> tuple[list[Ply], list[Round]]:
    return rows_of(match_id, data, dictionary_of(dictionary))


@lru_cache(maxsize=64)
def dictionary_of(number: int) -> bytes:
    """The dictionary of this number, which never changes."""
    return bytes(ArchiveDictionary.objects.values_list("data", flat=True).get(id=number))
