"""Live tables on the event loop, and how they end when the server has to go.

A server that is told to stop waits for its open answers; a stream would keep it waiting. So each
stream is told that its listener left, which ends it by the road it ends every day.
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
        answer = _Answer(send)
        try:
            await self._handler(scope, _until(stopping, receive), answer.send)
        finally:
            self._open.discard(stopping)
        if stopping.is_set():
            await answer.finish()

    def end(self) -> None:
        """End every open stream. Call it from the loop's own thread."""
        for stopping in self._open:
            stopping.set()


def _until(stopping: asyncio.Event, receive: Receive) -> Receive:
    """`receive`, which says that the listener left as soon as we are stopping."""

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


class _Answer:
    """Remembers how far an answer got, to end it properly."""

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
