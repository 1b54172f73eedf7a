"""JSON in and out by msgspec: strict, bounded, and never a 500 for what a client sent."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from typing import IO, Any, ClassVar, Final, TypeVar

import msgspec
from django.utils.encoding import force_str
from django.utils.functional import Promise
from django.utils.translation import gettext
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from config.api.problem_text import prefers_text
from config.api.refusals import BodyTooLarge, Malformed

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
    return shaped(values, shape, strict=False)


def _misshapen(message: str) -> Malformed:
    parts = WHERE.match(message)
    what, field = (parts["what"], parts["field"]) if parts else (message, None)
    sentence = f"{field}: {what}." if field else f"{what}."
    return Malformed(sentence.replace("`", "'"), field=field)


def _as_text(value: Any) -> str:
    if isinstance(value, Promise):
        return force_str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form.")
