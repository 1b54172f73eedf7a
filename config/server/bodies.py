"""Bodies of requests: read whole before a thread is taken, within limits of size and time.

The limit of a view is known before the body is read, so a larger body is refused: unread by its
length, or on the way if it comes in chunks without one. A body that does not arrive at once counts
for its address until the request is answered (`config.server.intake`).
"""

import asyncio
from collections.abc import Awaitable
from types import TracebackType
from typing import Any, Final, Self

from django.conf import settings
from django.urls import Resolver404, resolve
from django.utils.translation import gettext

from config.api.errors import BodyTooLarge, BodyTooSlow
from config.counting.client_address import address_in
from config.server import limits
from config.server.intake import intake
from config.server.messages import Receive, Scope
from config.server.uvicorn_internals import cycle_of, is_whole, taken_body

KIBIBYTE: Final = 1024


class ClientDisconnected(Exception):
    """The client left before its request was complete."""


class Body:
    """The body of one request. If it is counted, then until the end of a `with`."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._scope, self._receive = scope, receive
        self._address = ""
        self._held = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.release()

    def read(self) -> Awaitable[bytes]:
        """All of it. Raises ClientDisconnected, or a refusal."""
        if _has_arrived(self._receive):
            return self._arrived()
        return self._arriving()

    def release(self) -> None:
        """The bytes are not needed any more."""
        if self._held:
            held, self._held = self._held, 0
            intake.leave(self._address, held)

    async def _arrived(self) -> bytes:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        body: bytes = message.get("body", b"")
        if len(body) > limits.SMALL_BODY:
            _judge(self._scope, len(body))
        return body

    async def _arriving(self) -> bytes:
        _judge(self._scope, _length(self._scope))
        self._address = address_in(self._scope)
        intake.begin(self._address)
        try:
            async with asyncio.timeout(limits.SECONDS_FOR_BODY):
                return await self._whole()
        except TimeoutError:
            raise BodyTooSlow from None
        finally:
            intake.end(self._address)

    async def _whole(self) -> bytes:
        body = bytearray()
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnected
            part = message.get("body", b"")
            self._held += len(part)
            intake.hold(self._address, len(part))
            body += part
            _judge(self._scope, len(body))
            if not message.get("more_body"):
                return bytes(body)


def arrived(receive: Receive) -> bytes | None:
    """A small body that came in one piece with its headers, as most do: without an await."""
    cycle = cycle_of(receive)
    if cycle is None or not is_whole(cycle) or len(cycle.body) > limits.SMALL_BODY:
        return None
    return taken_body(cycle)


def largest(path: str) -> int:
    """The limit of the view at this path."""
    try:
        view = resolve(path).func
    except Resolver404:
        return limits.SMALL_BODY
    parsers = getattr(getattr(view, "cls", None), "parser_classes", ())
    known = [parser.limit for parser in parsers if hasattr(parser, "limit")]
    return int(max(known, default=settings.DATA_UPLOAD_MAX_MEMORY_SIZE))


def _judge(scope: Scope, size: int) -> None:
    """Raises BodyTooLarge for a body of this size."""
    if size > limits.SMALL_BODY and size > (most := largest(scope["path"])):
        detail = gettext("The body is larger than {n} KiB.").format(n=most // KIBIBYTE)
        raise BodyTooLarge(detail, limit=most)


def _length(scope: Scope) -> int:
    """As the client announces it; 0 for a body in chunks."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


def _has_arrived(receive: Any) -> bool:
    """Whether uvicorn has all of the body: most come in one piece with their headers."""
    cycle = cycle_of(receive)
    return cycle is not None and is_whole(cycle)
