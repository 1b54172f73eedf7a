"""A little of many tables in one statement, for pages that show some rows of each."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet
from django.db.models.query import ModelIterable

from config.postgres.replicas import list_connection

Rows = QuerySet[Any, Any]


class Count(NamedTuple):
    """How many rows there are, in place of them."""

    rows: Rows


class Written(NamedTuple):
    """A statement with its values; ``rows`` are those that it reads, if they are a model's."""

    sql: str
    values: list[Any]
    rows: Rows | Count | None = None


class Part(NamedTuple):
    """Something of a page: the rows that it is made of, and how."""

    rows: tuple[Written, ...]
    made: Callable[..., Any]

    def read(self) -> Any:
        return read_parts(self)[0]


def read(*wanted: Rows | Count | Written, by: Any = connection) -> list[Any]:
    """A list of the rows of each, as if it had been read by itself, or their number.

    No rows with related ones (``select_related``), and none with binary columns. Rows that are no
    model's are mappings, with the values as JSON has them.
    """
    written = [one if isinstance(one, Written) else _written(one) for one in wanted]
    if not written:
        return []
    parts = [
        f"(SELECT {'count(*)' if isinstance(one.rows, Count) else 'json_agg(t)'}"  # noqa: S608
        f" FROM ({one.sql}) t)"
        for one in written
    ]
    with by.cursor() as cursor:
        cursor.execute(
            f"SELECT {', '.join(parts)}", [each for one in written for each in one.values]
        )
        answers = cursor.fetchone() or ()
    return [
        answer if isinstance(one.rows, Count) else _read(one.rows, answer or [])
        for one, answer in zip(written, answers, strict=True)
    ]


def read_parts(*parts: Part) -> list[Any]:
    """Each as it is made of its rows; lists may be a second old (``config.postgres.replicas``)."""
    rows = iter(read(*(one for part in parts for one in part.rows), by=list_connection()))
    return [part.made(*[next(rows) for _ in part.rows]) for part in parts]


def rows_of(one: Written) -> list[tuple[Any, ...]]:
    """The rows alone, as the database has them; they may be a second old, as those of a part."""
    with list_connection().cursor() as cursor:
        cursor.execute(one.sql, one.values)
        return list(cursor.fetchall())


def once(rows: Callable[..., Rows]) -> Callable[..., Written]:
    """Of rows made from ids and texts, which stand in their statement as they are.

    Django writes it once, and later calls bring their values only.
    """
    known: dict[tuple[Any, ...], tuple[Rows, str, list[Any], dict[int, int]]] = {}

    @wraps(rows)
    def written(*values: Any) -> Written:
        key = tuple(
            str if isinstance(one, str) else UUID if isinstance(one, UUID) else one
            for one in values
        )
        if key not in known:
            stands = [_STANDS[kind]() if kind in _STANDS else kind for kind in key]
            one = rows(*stands)
            sql, given, _ = _written(one)
            places = {n: stands.index(each) for n, each in enumerate(given) if each in stands}
            if {n for n, kind in enumerate(key) if kind in _STANDS} - {*places.values()}:
                raise TypeError(f"{rows.__name__}: a value does not stand in its statement")
            known[key] = one, sql, given, places
        one, sql, given, places = known[key]
        given = [values[places[n]] if n in places else each for n, each in enumerate(given)]
        return Written(sql, given, one)

    return written


_STANDS: Final[dict[Any, Callable[[], Any]]] = {UUID: uuid4, str: lambda: str(uuid4())}


def _written(one: Rows | Count) -> Written:
    rows = one.rows.order_by().values("pk") if isinstance(one, Count) else one
    try:
        sql, given = rows.query.sql_with_params()
    except EmptyResultSet:
        sql, given = "SELECT WHERE false", ()
    return Written(sql, list(given), one)


def _read(rows: Rows | None, answers: list[dict[str, Any]]) -> list[Any]:
    """Instances, with what was annotated to them."""
    if rows is None or not answers or rows._iterable_class is not ModelIterable:  # noqa: SLF001
        return answers
    fields = {field.column: field for field in rows.model._meta.concrete_fields}  # noqa: SLF001
    own = [field for column, field in fields.items() if column in answers[0]]
    names, more = [field.attname for field in own], answers[0].keys() - fields.keys()
    instances = []
    for values in answers:
        read = [field.to_python(values[field.column]) for field in own]
        instances.append(rows.model.from_db(rows.db, names, read))
        for name in more:
            setattr(instances[-1], name, values[name])
    return instances
