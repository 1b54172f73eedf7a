"""Rows as parameters of a statement: the same SQL for one row and for many.

One row is sent as plain values, which Postgres plans as constants; many are sent as an array for
each column (`unnest`), which costs a fraction of that for each row. Columns that are arrays
themselves are sent as text, because an array of arrays must be rectangular; the statement casts
them back.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection, models

from config.postgres.arrays import Array


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
