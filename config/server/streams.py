"""Streams on the event loop, and how they end when the server stops.

A server that stops waits for its open responses, and a stream would keep it waiting. So each stream
receives the message that its client disconnected, and ends as it does in that case.
"""

import asyncio

from config.server.threaded_wsgi import Application, Message, Receive, Scope, Send


class Streams:
    def __init__(self, handler: Application) -> None:
        self._handler = handler
        self._open: set[asyncio.Event] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        stopping = asyncio.Event()
        self._open.add(stopping)
        response = _Response(send)
        try:
            await self._handler(scope, _until(stopping, receive), response.send)
        finally:
            self._open.discard(stopping)
        if stopping.is_set():
            await response.finish()

    def end(self) -> None:
        """Ends every open stream. To be called in the thread of the event loop."""
        for stopping in self._open:
            stopping.set()


def _until(stopping: asyncio.Event, receive: Receive) -> Receive:
    """`receive`, which reports a disconnected client as soon as the server stops."""

    async def next_message() -> Message:
        message = asyncio.ensure_future(receive())
        waits = [message, asyncio.ensure_future(stopping.wait())]
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        return message.result() if message in done else {"type": "http.disconnect"}

    return next_message


class _Response:
    """Records how much of a response was sent, to end it properly."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._begun = self._ended = False

    async def send(self, message: Message) -> None:
        self._begun = True
        self._ended = message["type"] == "http.response.body" and not message.get("more_body")
        await self._send(message)

    async def finish(self) -> None:
        if self._ended:
            return
        if not self._begun:
            await self._send({"type": "http.response.start", "status": 503, "headers": []})
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})
