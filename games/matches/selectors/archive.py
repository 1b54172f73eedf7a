"""Matches whose plies and rounds were folded into one row (``services.archiving``).

Only matches that are over, and that no other match was loaded from, are folded: so only readers of
such a match, who find no plies or rounds, look here.
"""

from collections.abc import Iterable
from functools import lru_cache
from uuid import UUID

from games.matches.folding import rows_of
from games.matches.models import ArchiveDictionary, ArchivedMatch, Ply, Round
from games.matches.snapshot import MatchSnapshot


def archived_plies(match: MatchSnapshot, after: int = -1, until: int | None = None) -> list[Ply]:
    """The plies with ``after < version <= until`` in order; none of a match that is not folded."""
    last = match.version if until is None else until
    return [ply for ply in _rows(match)[0] if after < ply.version <= last]


def archived_rounds(match: MatchSnapshot) -> list[Round]:
    """Every round in the order in which they opened."""
    return list(_rows(match)[1])


def rounds_of_match(match: MatchSnapshot, *, with_cards: bool = True) -> list[Round]:
    """Every round, undone ones too, in the order in which they opened."""
    found = Round.objects.filter(match_id=match.id).order_by("opening_version", "number")
    stored = found if with_cards else found.defer("opening_state", "decks")
    return list(stored) or archived_rounds(match)


def answered_in_archive(match: MatchSnapshot, seats: Iterable[int], key: str) -> int | None:
    """The version that an idempotency key made at one of these seats."""
    own = set(seats)
    return next((p.version for p in _rows(match)[0] if p.key == key and p.seat in own), None)


def _rows(match: MatchSnapshot) -> tuple[list[Ply], list[Round]]:
    if not match.is_over:
        return [], []
    found = ArchivedMatch.objects.filter(match_id=match.id)
    row = found.values_list("data", "dictionary_id").first()
    return ([], []) if row is None else _unfolded(match.id, bytes(row[0]), row[1])


@lru_cache(maxsize=64)
def _unfolded(match_id: UUID, data: bytes, dictionary: int) -> tuple[list[Ply], list[Round]]:
    return rows_of(match_id, data, dictionary_of(dictionary))


@lru_cache(maxsize=64)
def dictionary_of(number: int) -> bytes:
    """It never changes."""
    return bytes(ArchiveDictionary.objects.values_list("data", flat=True).get(id=number))
