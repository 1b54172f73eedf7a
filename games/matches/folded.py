"""The plies and rounds of one match as one compressed text, and back.

Columns stand one after the other, so equal things lie side by side; a column with one value is that
value. Names and cards that every match of a game has come from a dictionary that both sides know.
A column that the models get later has its default in what was folded before.
"""

import zlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from django.db import models

from games.matches.models import ArchiveDictionary, ArchivedMatch, Ply, Round
from games.matches.snapshot import MatchSnapshot

WINDOW: Final = 32_000  # bytes that deflate looks back, so a dictionary is no longer
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TICK: Final = timedelta(microseconds=1)
# The ids of requests are for reading logs, which are gone long before a match is folded.
LEFT_OUT: Final = ("id", "match_id", "request")

Row = TypeVar("Row", Ply, Round)
Column = dict[str, Any]


class Folded(msgspec.Struct, frozen=True, rename={"plies": "p", "rounds": "r"}):
    """``plies`` and ``rounds``: how many, and each column by name."""

    plies: tuple[int, dict[str, Column]]
    rounds: tuple[int, dict[str, Column]]


def text_of(plies: Sequence[Ply], rounds: Sequence[Round]) -> bytes:
    """The text that is compressed; a dictionary is made of the texts of some matches."""
    return msgspec.json.encode(Folded(_table(Ply, plies), _table(Round, rounds)))


def compressed(text: bytes, dictionary: bytes) -> bytes:
    # raw deflate: the row has no need of a header or a checksum
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, dictionary)
    return deflate.compress(text) + deflate.flush()


def rows_of(match_id: UUID, data: bytes, dictionary: bytes) -> tuple[list[Ply], list[Round]]:
    """The rows as they were, except their own ids."""
    inflate = zlib.decompressobj(-15, dictionary)
    folded = msgspec.json.decode(inflate.decompress(data) + inflate.flush(), type=Folded)
    return _rows(Ply, match_id, *folded.plies), _rows(Round, match_id, *folded.rounds)


def _fields(model: type[models.Model]) -> "list[models.Field[Any, Any]]":
    fields = model._meta.concrete_fields  # noqa: SLF001 - the documented way
    return [field for field in fields if field.attname not in LEFT_OUT]


def _table(model: type[Row], rows: Sequence[Row]) -> tuple[int, dict[str, Column]]:
    columns = {f.attname: _column(f, [getattr(r, f.attname) for r in rows]) for f in _fields(model)}
    return len(rows), columns


def _column(field: "models.Field[Any, Any]", values: list[Any]) -> Column:
    """``v`` values, ``o`` the only one, ``n`` steps from one number to the next."""
    if isinstance(field, models.DateTimeField):
        return _times(values)
    plain = [bytes(v).decode() if isinstance(v, bytes | memoryview) else v for v in values]
    if plain and all(value == plain[0] for value in plain):
        return {"o": plain[0]}
    return {"v": plain}


def _times(values: Sequence[datetime | None]) -> Column:
    """Steps in milliseconds where that is exact."""
    ticks = [None if at is None else (at - _EPOCH) // _TICK for at in values]
    unit = 1 if any(tick and tick % 1000 for tick in ticks) else 1000
    steps, last = [], 0
    for tick in ticks:
        steps.append(None if tick is None else tick // unit - last)
        last = last if tick is None else tick // unit
    return {"n": steps, "u": unit}


def _rows(model: type[Row], match_id: UUID, count: int, columns: dict[str, Column]) -> list[Row]:
    fields = {f.attname: f for f in _fields(model)}
    values = {
        name: list(_values(fields[name], column, count))
        for name, column in columns.items()
        if name in fields
    }
    return [
        model(match_id=match_id, **{name: column[n] for name, column in values.items()})
        for n in range(count)
    ]


def _values(field: "models.Field[Any, Any]", column: Column, count: int) -> Iterable[Any]:
    if "n" in column:
        return _times_back(column["n"], column["u"])
    values = [column["o"]] * count if "o" in column else column["v"]
    if isinstance(field, models.BinaryField):
        return [None if value is None else value.encode() for value in values]
    return list(values)


def _times_back(steps: Sequence[int | None], unit: int) -> Iterable[datetime | None]:
    last = 0
    for step in steps:
        last += step or 0
        yield None if step is None else _EPOCH + last * unit * _TICK


# Matches whose plies and rounds were folded into one row (``history.folding``).
#
# Only matches that are over, with all their relatives, are folded. A reader that finds no plies
# or rounds of a match that was dealt looks here.


def folded_plies(match_id: UUID, after: int, until: int) -> list[Ply]:
    """The plies with ``after < version <= until`` in order; none of a match that is not folded."""
    return [ply for ply in _folded_rows(match_id)[0] if after < ply.version <= until]


def folded_rounds(match_id: UUID) -> list[Round]:
    """Every round in the order in which they opened."""
    return list(_folded_rows(match_id)[1])


def folded_rounds_of_each(matches: Sequence[UUID]) -> dict[UUID, list[Round]]:
    """The same for many matches, read in one statement; those that are not folded are left out."""
    stored = ArchivedMatch.objects.filter(match_id__in=matches)
    rows = stored.values_list("match_id", "data", "dictionary_id") if matches else ()
    return {match: list(_unfolded(match, bytes(data), words)[1]) for match, data, words in rows}


def answered_when_folded(match: MatchSnapshot, seats: Iterable[int], key: str) -> int | None:
    """The version that an idempotency key made at one of these seats."""
    own = set(seats)
    return next(
        (p.version for p in _folded_rows(match.id)[0] if p.key == key and p.seat in own), None
    )


def _folded_rows(match_id: UUID) -> tuple[list[Ply], list[Round]]:
    stored = ArchivedMatch.objects.filter(match_id=match_id)
    row = stored.values_list("data", "dictionary_id").first()
    return ([], []) if row is None else _unfolded(match_id, bytes(row[0]), row[1])


@lru_cache(maxsize=64)
def _unfolded(match_id: UUID, data: bytes, dictionary: int) -> tuple[list[Ply], list[Round]]:
    return unfolded(match_id, data, dictionary)


def unfolded(match_id: UUID, data: bytes, dictionary: int) -> tuple[list[Ply], list[Round]]:
    """The rows as they were; of a restored database a number may mean another dictionary."""
    try:
        return rows_of(match_id, data, dictionary_of(dictionary))
    except (zlib.error, msgspec.DecodeError):
        dictionary_of.cache_clear()
        return rows_of(match_id, data, dictionary_of(dictionary))


@lru_cache(maxsize=64)
def dictionary_of(number: int) -> bytes:
    """The dictionary of this number, which never changes while its database lives."""
    return bytes(ArchiveDictionary.objects.values_list("data", flat=True).get(id=number))
