"""Many rows as one statement's parameters: a packed array for each column.

psycopg's own dumper looks at every element to find its type, and again to write it. Here the type
is known from the column, so that an array costs a few microseconds (binary format: the number of
dimensions, whether there are nulls, the element's type, the length, the first index; then the
elements, each after its length).
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID

import psycopg
from django.db import connection, models
from django.db.models import CharField, Func
from psycopg.adapt import Dumper, PyFormat
from psycopg.pq import Format

_HEAD: Final = struct.Struct(">iiIii").pack
_NULL: Final = struct.pack(">i", -1)
_length = struct.Struct(">i").pack
_int2, _int4, _int8 = (
    partial(struct.Struct(f">i{c}").pack, n) for c, n in (("h", 2), ("i", 4), ("q", 8))
)
_boolean = partial(struct.Struct(">i?").pack, 1)
_sixteen_bytes = partial(struct.Struct(">i16s").pack, 16)
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def _timestamp(moment: datetime) -> bytes:
    return _int8((moment - _EPOCH) // _MICROSECOND)


def _uuid(value: UUID) -> bytes:
    return _sixteen_bytes(value.bytes)


def _bytea(value: bytes) -> bytes:
    return _length(len(value)) + value


def _text(value: str) -> bytes:
    return _bytea(value.encode())


# Each element with its length before it.
ENCODERS: Final[dict[str, Callable[[Any], bytes]]] = {
    "bigint": _int8,
    "boolean": _boolean,
    "bytea": _bytea,
    "integer": _int4,
    "smallint": _int2,
    "text": _text,
    "timestamp with time zone": _timestamp,
    "uuid": _uuid,
    "varchar": _text,
}


class Array:
    """A column's values, packed; ``type_`` is the element's name in Postgres."""

    __slots__ = ("data", "oid")

    def __init__(self, type_: str, values: Sequence[Any]) -> None:
        known = psycopg.postgres.types[type_]
        self.oid, self.data = known.array_oid, packed(known.oid, ENCODERS[type_], values)


def packed(oid: int, encode: Callable[[Any], bytes], values: Sequence[Any]) -> bytes:
    head = _HEAD(1, 1, oid, len(values), 1)
    return head + b"".join([_NULL if value is None else encode(value) for value in values])


class ArrayDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: Array) -> bytes:
        return obj.data

    def get_key(self, obj: Array, format: PyFormat) -> Any:  # noqa: A002 - psycopg's name
        return (self.cls, obj.oid)

    def upgrade(self, obj: Array, format: PyFormat) -> "ArrayDumper":  # noqa: A002
        dumper = ArrayDumper(self.cls)
        dumper.oid = obj.oid
        return dumper


class ShownArray(ArrayDumper):
    """For logs of statements; values stay out of them."""

    format = Format.TEXT

    def dump(self, obj: Array) -> bytes:
        return b"{...}"

    def upgrade(self, obj: Array, format: PyFormat) -> "ShownArray":  # noqa: A002
        return self


psycopg.adapters.register_dumper(Array, ShownArray)
psycopg.adapters.register_dumper(Array, ArrayDumper)

# Rows as parameters of a statement: the same SQL for one row and for many.
#
# One row is sent as plain values, which Postgres plans as constants; many are sent as an array
# for each column (`unnest`), which costs a fraction of that for each row. Columns that are arrays
# themselves are sent as text, because an array of arrays must be rectangular; the statement casts
# them back.


class Rows:
    """``Rows(id="uuid", version="integer")``: columns with their types, a place in FROM."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self._types = list(columns.values())
        names = ", ".join(columns)
        one = ", ".join(f"%s::{type_}" for type_ in self._types)
        many = ", ".join(f"%s::{type_}[]" for type_ in self._types)
        self._sql = f"(SELECT {one}) AS v({names})", f"unnest({many}) AS v({names})"

    def sql(self, rows: Sequence[Sequence[Any]]) -> str:
        """The rows as ``v``, for a FROM; Postgres reads them in their order."""
        return self._sql[len(rows) > 1]

    def values(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        if len(rows) == 1:
            return list(rows[0])
        columns = zip(*rows, strict=True)
        return [Array(type_, values) for type_, values in zip(self._types, columns, strict=True)]


def types_of(model: type[models.Model], columns: Sequence[str]) -> dict[str, str]:
    """The columns of a table with their types; arrays as text."""
    types = {}
    for column in columns:
        type_ = str(model._meta.get_field(column).db_type(connection))  # noqa: SLF001 - public
        # Without its length: a cast would cut a text to it where an INSERT refuses.
        types[column] = "text" if type_.endswith("[]") else type_.partition("(")[0]
    return types


def as_text(values: Sequence[int] | None) -> str | None:
    """An array of numbers in Postgres' text form."""
    return None if values is None else "{" + ",".join(map(str, values)) + "}"


# Values that stand in the statement itself.
#
# A prepared plan does not know its parameters, so no index with a condition on them serves it.

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz_"


def literal(text: str) -> Func:
    """A name of ours, of small letters; anything else is a ``ValueError``."""
    if not text or text.strip(_LETTERS):
        raise ValueError(text)
    return Func(template=f"'{text}'", output_field=CharField())
