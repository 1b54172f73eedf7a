"""Streams on the event loop: responses that go on until their client leaves or the server stops.

A view runs in a thread like any other and answers with a `LiveResponse`: head and cookies, limits
and refusals are those of every response. Then its `Live` takes over on the event loop, where
waiting costs no thread and no database connection. A server that stops would wait for such a
response for ever, so it tells each one to end.
"""

import asyncio
import gc
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, Final, Protocol

from django.conf import settings
from django.http import HttpResponse
from django.urls import get_resolver
from django.utils.module_loading import import_string

# The types of an ASGI application.

Headers = list[tuple[bytes, bytes]]
Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

Write = Callable[[bytes], Awaitable[None]]
SECONDS_TO_READ = 30.0  # a client that reads nothing for so long is left
OF_THE_CONNECTION = (b"content-length", b"transfer-encoding")


class Live(Protocol):
    """The content of a stream. Both methods run in the thread of the event loop."""

    async def run(self, write: Write) -> None:
        """Writes until there is nothing more to write or `end` was called."""

    def end(self) -> None:
        """The client has left, or the server stops: `run` has to return soon."""


class LiveResponse(HttpResponse):
    """A response whose body is written by `live`; a proxy passes each part on at once.

    Nor may a proxy compress it (``no-transform``): it would hold messages back.
    """

    def __init__(self, live: Live, content_type: str) -> None:
        super().__init__(
            content_type=content_type,
            headers={"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"},
        )
        self.live = live


class Streams:
    """The open streams of a process."""

    def __init__(self) -> None:
        self._open: set[Live] = set()
        self._stopping = False

    async def serve(self, live: Live, head: Message, receive: Receive, send: Send) -> None:
        async def write(data: bytes) -> None:
            async with asyncio.timeout(SECONDS_TO_READ):
                await send({"type": "http.response.body", "body": data, "more_body": True})

        await send(without_length(head))
        listening = asyncio.create_task(_end_with_the_client(live, receive))
        self._open.add(live)
        try:
            if not self._stopping:
                with suppress(TimeoutError):
                    await live.run(write)
        finally:
            self._open.discard(live)
            listening.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def end(self) -> None:
        """Ends every open stream. To be called in the thread of the event loop."""
        self._stopping = True
        for live in list(self._open):
            live.end()


def live_of(response: Any) -> Live | None:
    """The ``Live`` of a response that is a stream."""
    return getattr(response, "live", None)


async def _end_with_the_client(live: Live, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    live.end()


def without_length(head: Message) -> Message:
    headers = [pair for pair in head["headers"] if pair[0] not in OF_THE_CONNECTION]
    return {**head, "headers": headers}


# The garbage collector of a web process: it never looks at what is loaded at the start.
#
# A full collection of all objects of Django stops every request for tens of milliseconds. So
# objects that are loaded before the first request are frozen, and full collections are rare.

NEW_OBJECTS: Final = 20_000  # before the youngest are looked through
YOUNG_COLLECTIONS: Final = 20  # for one of the middle generation
MIDDLE_COLLECTIONS: Final = 50  # for a full one


_loaded = False


def load_all() -> None:
    """Everything that answers requests; once a process, or in the one that forks it."""
    global _loaded  # noqa: PLW0603 - one fact a process
    if not _loaded:
        get_resolver().check()  # which loads every view
        for name in settings.MIDDLEWARE:
            import_string(name)
        _loaded = True


def freeze_garbage() -> None:
    """To be called once, before the first request."""
    load_all()
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, YOUNG_COLLECTIONS, MIDDLE_COLLECTIONS)
