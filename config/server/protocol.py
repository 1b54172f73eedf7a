"""HTTP as uvicorn speaks it, with a limit on how long a caller may take to send its headers.

A response is one write. An application that has all of a response at once may give it in one call
(`respond`): uvicorn itself looks at each header of each response as if it came from a stranger.
"""

import asyncio
import os
from time import perf_counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from config.monitoring import lines
from config.monitoring.work import new_id
from config.server.joined_writes import JoinedWrites
from config.server.messages import Headers, Send
from config.server.naming import REQUEST_ID

SECONDS_FOR_HEADERS = float(os.environ.get("HEADER_SECONDS", "10"))


async def respond(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """Sends a whole response to a GET or POST; ``headers`` are our own, in lower case."""
    cycle = getattr(send, "__self__", None)
    if isinstance(cycle, RequestResponseCycle):
        await _send_whole(cycle, status, headers, body)
        return
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


class PunctualProtocol(HttpToolsProtocol):
    """Cuts a connection whose request headers do not arrive in time, so that none is held open."""

    _awaits_headers = True
    _header_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(JoinedWrites(transport, self.loop))  # type: ignore[arg-type]
        self._set_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._awaits_headers = False
        self._set_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._set_timer()

    def on_message_begin(self) -> None:
        self._awaits_headers = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._awaits_headers = False
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """What was sent is no HTTP, so no application hears of it."""
        id_, body = new_id(), msg.encode()
        lines.request("other", "none", 400, perf_counter(), request_id=id_)
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", b"%d" % len(body)),
            (b"connection", b"close"),
            (REQUEST_ID, id_.encode()),
        ]
        parts = [STATUS_LINE[400]]
        for name, value in self.server_state.default_headers + headers:
            parts += (name, b": ", value, b"\r\n")
        self.transport.write(b"".join((*parts, b"\r\n", body)))
        self.transport.close()

    def _set_timer(self) -> None:
        """Most requests arrive in one piece and need no timer."""
        if self._awaits_headers:
            if self._header_timer is None:
                self._header_timer = self.loop.call_later(SECONDS_FOR_HEADERS, self._cut)
        elif self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _cut(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()


async def _send_whole(
    cycle: RequestResponseCycle, status: int, headers: Headers, body: bytes
) -> None:
    """What `RequestResponseCycle.send` does for the start and the only part of a response."""
    if cycle.flow.write_paused and not cycle.disconnected:
        await cycle.flow.drain()
    if cycle.disconnected:
        return
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    parts = [STATUS_LINE[status]]
    for name, value in cycle.default_headers + headers:
        parts += (name, b": ", value, b"\r\n")
    if not cycle.keep_alive:
        parts.append(b"connection: close\r\n")
    parts += (b"\r\n", body)
    cycle.transport.write(b"".join(parts))
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
