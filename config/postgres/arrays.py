"""Many rows as one statement's parameters: a packed array for each column.

psycopg's own dumper looks at every element to find its type, and again to write it. Here the type
is known from the column, so that an array costs a few microseconds (binary format: the number of
dimensions, whether there are nulls, the element's type, the length, the first index; then the
elements, each after its length).
"""

import struct
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID

import psycopg
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
