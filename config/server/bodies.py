"""Bodies of requests: read whole before a thread is taken, within limits of size and time.

The limit of a view is known before the body is read, so a larger body is refused: unread by its
length, or on the way if it comes in chunks without one. A body that does not arrive at once counts
for its address until the request is answered (`config.server.bodies`).
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable
from types import TracebackType
from typing import Any, Final, Self

from django.conf import settings
from django.urls import Resolver404, resolve
from django.utils.translation import gettext

from config.api.errors import BodyTooLarge, BodyTooSlow, Unavailable
from config.counting import address_in
from config.environment import Environment
from config.refusals import TooManyRequests
from config.server.streams import Receive, Scope
from config.server.uvicorn_internals import cycle_of, is_whole, taken_body

# How long a client may take, and how many unanswered requests and bytes it may hold.
#
# The numbers are those of one process. An address is that of `config.counting`; connections are
# counted by their peer, because headers come later and only they name the caller behind a proxy.

env = Environment()

SECONDS_FOR_HEADERS: Final[float] = env.float("HEADER_SECONDS", default=10.0)
SECONDS_FOR_BODY: Final[float] = env.float("BODY_SECONDS", default=30.0)
SECONDS_TO_LINGER: Final = 2.0  # after a refusal, for a client that still sends

LARGEST_HEAD: Final = 64 * 1024  # the first line and the headers
SMALL_BODY: Final = 64 * 1024  # every view reads as much

BODY_BYTES: Final[int] = env.int("BODY_BYTES_PER_PROCESS", default=64 * 2**20)
BODY_BYTES_OF_ONE: Final[int] = env.int("BODY_BYTES_PER_ADDRESS", default=8 * 2**20)
UNFINISHED: Final[int] = env.int("UNFINISHED_PER_PROCESS", default=1000)
UNFINISHED_OF_ONE: Final[int] = env.int("UNFINISHED_PER_ADDRESS", default=100)
CONNECTIONS: Final[int] = env.int("CONNECTIONS_PER_PROCESS", default=4000)
CONNECTIONS_OF_ONE: Final[int] = env.int("CONNECTIONS_PER_ADDRESS", default=500)
PROXIES: Final[int] = env.int("PROXIES", default=0)

# Counts what clients have sent of requests that are not answered yet, in all and by address.
#
# To be used in the thread of the event loop.


class Intake:
    """One a process: requests whose body is not whole, and bytes of bodies that are held."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self._requests = self._bytes = 0

    def begin(self, address: str) -> None:
        """One more request of this address. Raises a refusal where there are too many."""
        if self.requests[address] >= UNFINISHED_OF_ONE:
            raise TooManyRequests("Too many requests from your address are not complete yet.")
        if self._requests >= UNFINISHED:
            raise Unavailable("Too many requests are not complete yet. Try again in a minute.")
        self.requests[address] += 1
        self._requests += 1

    def hold(self, address: str, size: int) -> None:
        """So many bytes more. They count, whether it refuses or not, until they are `left`."""
        self.bytes[address] += size
        self._bytes += size
        if self.bytes[address] > BODY_BYTES_OF_ONE:
            raise TooManyRequests("Your address sends too much at the same time.")
        if self._bytes > BODY_BYTES:
            raise Unavailable("Too much is sent at the same time. Try again in a minute.")

    def end(self, address: str) -> None:
        """The body of a request is whole, or will never be."""
        self._requests -= 1
        _less(self.requests, address, 1)

    def leave(self, address: str, size: int) -> None:
        """So many bytes are not held any more."""
        self._bytes -= size
        _less(self.bytes, address, size)


def _less(counts: Counter[str], address: str, number: int) -> None:
    counts[address] -= number
    if counts[address] <= 0:
        del counts[address]


intake = Intake()

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
        if len(body) > SMALL_BODY:
            _judge(self._scope, len(body))
        return body

    async def _arriving(self) -> bytes:
        _judge(self._scope, _length(self._scope))
        self._address = address_in(self._scope)
        intake.begin(self._address)
        try:
            async with asyncio.timeout(SECONDS_FOR_BODY):
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
    if cycle is None or not is_whole(cycle) or len(cycle.body) > SMALL_BODY:
        return None
    return taken_body(cycle)


def largest(path: str) -> int:
    """The limit of the view at this path."""
    try:
        view = resolve(path).func
    except Resolver404:
        return SMALL_BODY
    parsers = getattr(getattr(view, "cls", None), "parser_classes", ())
    known = [parser.limit for parser in parsers if hasattr(parser, "limit")]
    return int(max(known, default=settings.DATA_UPLOAD_MAX_MEMORY_SIZE))


def _judge(scope: Scope, size: int) -> None:
    """Raises BodyTooLarge for a body of this size."""
    if size > SMALL_BODY and size > (most := largest(scope["path"])):
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
