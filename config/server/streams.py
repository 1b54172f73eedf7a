"""Streams on the event loop: responses that go on until their client leaves or the server stops.

A view runs in a thread like any other and answers with a `LiveResponse`: head and cookies, limits
and refusals are those of every response. Then its `Live` takes over on the event loop, where
waiting costs no thread and no database connection. A server that stops would wait for such a
response for ever, so it tells each one to end.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Protocol

from django.http import HttpResponse

from config.server.messages import Message, Receive, Send

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
    """A response whose body is written by `live`; a proxy passes each part on at once."""

    def __init__(self, live: Live, content_type: str) -> None:
        super().__init__(
            content_type=content_type,
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
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
