"""The plies and rounds of one match as one compressed text, and back.

Columns stand one after the other, so equal things lie side by side; a column with one value is that
value. Names and cards that every match of a game has come from a dictionary that both sides know.
A column that the models get later has its default in what was folded before.
"""

import zlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from django.db import models

from games.matches.models import Ply, Round

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
