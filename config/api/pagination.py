"""Pages of a list by keyset: a cursor names the last row seen, so every page costs the same.

A cursor is not signed: it holds nothing but the value of one column of a row the caller was shown,
and the query it continues is filtered for the caller anyway. Garbage is refused.
"""

import base64
import binascii
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Generic, NamedTuple, Protocol, TypeVar, cast

import msgspec
from django.core.exceptions import ValidationError
from django.db.models import Field, Model, QuerySet
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from config.api.json import query_of
from config.api.refusals import Malformed

LIMIT, MOST = 25, 100
LONGEST_CURSOR = 1000
CURSOR_SCHEMA = {"maxLength": LONGEST_CURSOR, "pattern": "^[A-Za-z0-9_-]*$"}
Row = TypeVar("Row", bound=Model)


class PageQuery(msgspec.Struct, frozen=True):
    """The parameters of every list; a list with more of them extends this struct."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST)] = LIMIT
    cursor: Annotated[
        str, msgspec.Meta(max_length=LONGEST_CURSOR, extra_json_schema=CURSOR_SCHEMA)
    ] = ""


class Page(NamedTuple, Generic[Row]):
    rows: list[Row]
    next: str | None


class Pages(Protocol):
    """Cuts a list into the page that a request asks for: ``page`` of that request."""

    def __call__(self, rows: QuerySet[Row], *, by: str = "-id") -> Page[Row]: ...


def page(rows: QuerySet[Row], request: Request, *, by: str = "-id") -> Page[Row]:
    """The page that the request asks for; `by` is a unique column, descending with a dash."""
    column, step = by.lstrip("-"), "lt" if by.startswith("-") else "gt"

    def after(last: Any, most: int) -> QuerySet[Row]:
        rest = rows if last is None else rows.filter(**{f"{column}__{step}": last})
        return rest.order_by(by)[:most]

    return page_after(after, rows.model, request, by=column)


def page_after(
    rows: Callable[[Any, int], Iterable[Row]],
    model: type[Row],
    request: Request,
    *,
    by: str = "id",
) -> Page[Row]:
    """The same of ``rows`` that are given the last value seen, or None, and how many to find."""
    query = query_of(request, PageQuery)
    last = _value(model, by, query.cursor) if query.cursor else None
    fetched = list(rows(last, query.limit + 1))
    shown = fetched[: query.limit]
    more = len(fetched) > len(shown)
    return Page(shown, next_page(request, getattr(shown[-1], by)) if more else None)


def next_page(request: Request, last: object) -> str:
    """The address of the page after this row, of which the value of one column names it."""
    cursor = base64.urlsafe_b64encode(str(last).encode()).decode().rstrip("=")
    return replace_query_param(request.build_absolute_uri(), "cursor", cursor)


def last_seen(cursor: str) -> str:
    """What a cursor names; empty without one. Raises Malformed."""
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True).decode()
    except (ValueError, binascii.Error) as error:
        raise _no_cursor() from error
    if "\0" in text:
        raise _no_cursor()
    return text


def _value(model: type[Model], column: str, cursor: str) -> Any:
    text = last_seen(cursor)
    try:
        field = cast("Field[Any, Any]", model._meta.get_field(column))  # noqa: SLF001
        return field.to_python(text)
    except (ValueError, ValidationError) as error:
        raise _no_cursor() from error


def _no_cursor() -> Malformed:
    detail = "cursor: this is no cursor of this list; follow 'next' as it was given."
    return Malformed(detail, field="cursor")
