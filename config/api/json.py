"""JSON in and out by msgspec: strict, bounded, and never a 500 for what a client sent."""

import base64
import binascii
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import IO, Annotated, Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar, cast

import msgspec
from django.core.exceptions import ValidationError
from django.db.models import Field, Model, QuerySet
from django.utils.encoding import force_str
from django.utils.functional import Promise
from django.utils.translation import gettext
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from config.api.errors import BodyTooLarge, Malformed, prefers_text

BODY_LIMIT: Final = 64 * 1024
T = TypeVar("T")

# Valid JSON, but no text in Postgres: an escaped NUL, so an odd number of backslashes before u0000.
NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
# As msgspec says it: "Expected `int`, got `str` - at `$.seats[0].bot`".
WHERE = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<field>.*)`)?$", re.DOTALL)


class MsgspecParser(BaseParser):
    """Reads bodies up to ``limit`` bytes; a call that needs longer ones extends this parser."""

    media_type = "application/json"
    limit: ClassVar[int] = BODY_LIMIT

    def parse(
        self,
        stream: IO[bytes],
        _media_type: str | None = None,
        _parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        body = stream.read(self.limit + 1)
        if len(body) > self.limit:
            detail = gettext("The body is larger than {n} KiB.").format(n=self.limit // 1024)
            raise BodyTooLarge(detail, limit=self.limit)
        return decoded(body)


class MsgspecRenderer(BaseRenderer):
    """Structs, dicts, dates and UUIDs; bytes are JSON already and pass through."""

    media_type = "application/json"
    format = "json"
    charset = None  # JSON is UTF-8 and has no such parameter
    render_style = "binary"

    def render(
        self,
        data: Any,
        _accepted_media_type: str | None = None,
        _renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        if isinstance(data, bytes):
            return data
        return b"" if data is None else msgspec.json.encode(data, enc_hook=_as_text)


class JsonOrText(BaseContentNegotiation):
    """JSON, whatever the Accept header says (RFC 9110 §12.4.1), unless it prefers plain text.

    A view that has it names the renderer as ``plain_text``.
    """

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        media_type = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == media_type), None)

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        _format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        plain_text = getattr(request.parser_context.get("view"), "plain_text", None)
        if plain_text and prefers_text(request._request):  # noqa: SLF001 - Django's own
            return plain_text(), plain_text.media_type
        renderer = next(iter(renderers))
        return renderer, renderer.media_type or ""


def decoded(body: bytes) -> Any:
    """The JSON value of a body; ``Malformed`` for anything else.

    The mark that some editors and libraries begin a text with is no part of it (RFC 8259 §8.1).
    """
    try:
        value = msgspec.json.decode(body.removeprefix(BOM_UTF8))
    except UnicodeDecodeError as error:
        raise Malformed("The body is not UTF-8.") from error
    except RecursionError as error:
        raise Malformed("The body is nested too deeply.") from error
    except msgspec.DecodeError as error:
        raise Malformed(gettext("The body is not JSON: {error}.").format(error=error)) from error
    if b"\\u0000" in body and NUL.search(body):
        raise Malformed("The body contains the character U+0000.")
    return value


def shaped(value: Any, shape: type[T], *, strict: bool = True) -> T:
    """The value as `shape`, or ``Malformed`` naming the field and the type expected.

    `strict=False` reads numbers and booleans from text, as query parameters have them.
    """
    try:
        return msgspec.convert(value, shape, strict=strict)
    except RecursionError as error:
        raise Malformed("The body is nested too deeply.") from error
    except msgspec.ValidationError as error:
        raise _misshapen(str(error)) from error


def body_of(request: Request, shape: type[T]) -> T:
    """The body of a call in the shape it must have; without a body that of `{}`."""
    return shaped(request.data, shape)


def query_of(request: Request, shape: type[T]) -> T:
    """The query parameters in the shape they must have; of a repeated one the last counts."""
    values = request.query_params.dict()
    if any("\0" in value for value in values.values()):
        raise Malformed("A parameter contains the character U+0000.")
    query = shaped(values, shape, strict=False)
    for name, text in values.items():
        value = getattr(query, name, text)
        if value is None:  # the text `null`
            raise Malformed(f"{name}: leave a parameter out that has no value.", field=name)
        if isinstance(value, datetime) and ":" not in text:  # a number of seconds
            raise Malformed(f"{name}: a time looks like 2026-11-21T10:00:00Z.", field=name)
    return query


def _misshapen(message: str) -> Malformed:
    parts = WHERE.match(message)
    what, field = (parts["what"], parts["field"]) if parts else (message, None)
    sentence = f"{field}: {what}." if field else f"{what}."
    return Malformed(sentence.replace("`", "'"), field=field)


def _as_text(value: Any) -> str:
    if isinstance(value, Promise):
        return force_str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form.")


LIMIT, MOST = 25, 100
LONGEST_CURSOR = 1000
CURSOR_SCHEMA = {"maxLength": LONGEST_CURSOR, "pattern": "^[A-Za-z0-9_-]*$"}
Row = TypeVar("Row", bound=Model)


LIST: Final = "application/vnd.cardroom.list+json"
"""The media type of a list as ``{results, next}`` where an earlier answer is a bare array."""


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


def page_of_known(rows: Sequence[Any], request: Request) -> dict[str, Any]:
    """A page of structs that are all there; the first field of each names its place."""
    query = query_of(request, PageQuery)
    names = [str(getattr(row, row.__struct_fields__[0])) for row in rows]
    start = 0
    if query.cursor:
        last = last_seen(query.cursor)
        if last not in names:
            raise _no_cursor()
        start = len(names) - names[::-1].index(last)
    end = start + query.limit
    following = next_page(request, names[end - 1]) if end < len(rows) else None
    return {"results": rows[start:end], "next": following}


def next_page(request: Request, last: object) -> str:
    """The address of the page after this row, of which the value of one column names it."""
    cursor = base64.urlsafe_b64encode(str(last).encode()).decode().rstrip("=")
    return replace_query_param(request.build_absolute_uri(), "cursor", cursor)


def last_seen(cursor: str) -> str:
    """The row that a cursor names; empty without one. Raises Malformed."""
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


ROOT: Final = "/api/v1/"
