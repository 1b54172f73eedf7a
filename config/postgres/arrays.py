"""Many rows as one statement's parameters: a packed array for each column.

psycopg's own dumper looks at every element to find its type, and again to write it. Here the type
is known from the column, so that an array costs a few microseconds (binary format: the number of
dimensions, whether there are nulls, the element's type, the length, the first index; then the
elements, each after its length).
"""

import struct
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any, Final

import psycopg
from psycopg.adapt import Dumper, PyFormat
from psycopg.pq import Format

_HEAD: Final = struct.Struct(">iiIii").pack
_NULL: Final = struct.pack(">i", -1)
_int2, _int4, _int8 = (struct.Struct(f">{code}").pack for code in "hiq")
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def _timestamp(moment: datetime) -> bytes:
    return _int8((moment - _EPOCH) // _MICROSECOND)


def _boolean(value: object) -> bytes:
    return b"\1" if value else b"\0"


ENCODERS: Final[dict[str, Callable[[Any], bytes]]] = {
    "bigint": _int8,
    "boolean": _boolean,
    "bytea": bytes,
    "integer": _int4,
    "smallint": _int2,
    "text": str.encode,
    "timestamp with time zone": _timestamp,
    "uuid": attrgetter("bytes"),
    "varchar": str.encode,
}


class Array:
    """A column's values, packed; ``type_`` is the element's name in Postgres."""

    __slots__ = ("data", "oid")

    def __init__(self, type_: str, values: Sequence[Any]) -> None:
        known = psycopg.postgres.types[type_]
        self.oid, self.data = known.array_oid, packed(known.oid, ENCODERS[type_], values)


def packed(oid: int, encode: Callable[[Any], bytes], values: Sequence[Any]) -> bytes:
    parts = [_HEAD(1, 1, oid, len(values), 1)]
    add = parts.append
    for value in values:
        if value is None:
            add(_NULL)
        else:
            data = encode(value)
            add(_int4(len(data)))
            add(data)
    return b"".join(parts)


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
