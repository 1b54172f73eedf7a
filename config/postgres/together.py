"""A little of many tables in one statement, for pages that show some rows of each."""

from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

Rows = QuerySet[Any, Any]


class Count(NamedTuple):
    """How many rows there are, in place of them."""

    rows: Rows


def read(*wanted: Rows | Count) -> list[Any]:
    """A list of the rows of each, as if it had been read by itself, or their number.

    No rows with related ones (``select_related``), and none with binary columns.
    """
    parts: list[str] = []
    values: list[Any] = []
    for one in wanted:
        if isinstance(one, Count):
            column, rows = "count(*)", one.rows.order_by().values("pk")
        else:
            column, rows = "json_agg(t)", one
        try:
            sql, given = rows.query.sql_with_params()
        except EmptyResultSet:
            sql, given = "SELECT WHERE false", ()
        parts.append(f"(SELECT {column} FROM ({sql}) t)")  # noqa: S608 - Django's own
        values += given
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(parts)}", values)
        answers = cursor.fetchone() or ()
    return [
        answer if isinstance(one, Count) else [_row(one, each) for each in answer or ()]
        for one, answer in zip(wanted, answers, strict=True)
    ]


def _row(rows: Rows, values: dict[str, Any]) -> Any:
    """An instance, with what was annotated to it."""
    fields = {field.column: field for field in rows.model._meta.concrete_fields}  # noqa: SLF001
    own = [field for column, field in fields.items() if column in values]
    read = [field.to_python(values[field.column]) for field in own]
    instance = rows.model.from_db(rows.db, [field.attname for field in own], read)
    for name in values.keys() - fields.keys():
        setattr(instance, name, values[name])
    return instance
