"""HTTP as uvicorn speaks it, with limits on what a caller may hold open and for how long.

A response is one write. An application that has all of a response at once may give it in one call
(`respond`). How this holds on to uvicorn: `config.server.uvicorn_internals`.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any, ClassVar, Final

from config.server import bodies
from config.server.streams import Headers, Message, Scope, Send
from config.server.uvicorn_internals import STATUS_LINE, HttpToolsProtocol, cycle_of, send_whole
from config.telemetry import work
from config.telemetry.work import HEADER, new_id

# A connection that sends what is written within one tick of the event loop at once.
#
# A server writes a response's head and its body one after the other. Sent together they are one
# packet and one system call, which costs more than anything else that is done for a small
# response.

AT_ONCE: Final = 64 * 1024  # more is sent without waiting for the tick to end


class JoinedWrites:
    """The transport, except that it writes a little later.

    While `is_sent_more`, the client still sends and would lose the answer if the connection were
    closed. Then only our side is closed, and the other one ``lingers`` for so many seconds.

    ``memo`` is for what is the same for every request of the connection, and ends with it.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        is_sent_more: Callable[[], bool] = lambda: False,
        lingers: float = 0.0,
    ) -> None:
        self._transport, self._loop = transport, loop
        self._is_sent_more, self._seconds = is_sent_more, lingers
        self._parts: list[bytes] = []
        self._size = 0
        self.lingers = False
        self.memo: dict[bytes, str] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._parts:
            self._loop.call_soon(self._send)
        self._parts.append(data)
        self._size += len(data)
        if self._size > AT_ONCE:
            self._send()

    def is_closing(self) -> bool:
        return self.lingers or self._transport.is_closing()

    def close(self) -> None:
        self._send()
        if self.lingers:  # it ends by itself
            return
        if not self._is_sent_more():
            self._transport.close()
            return
        self.lingers = True
        with suppress(OSError):  # it left at this moment
            self._transport.write_eof()
        self._loop.call_later(self._seconds, self._transport.close)

    def _send(self) -> None:
        if self._parts:
            data = b"".join(self._parts)
            self._parts.clear()
            self._size = 0
            self._transport.write(data)


# Puts the id of a request into its answer, whichever part of the service answers.
#
# uvicorn writes the headers of its configuration into every response; here each response gets one
# more, without a wrapper around ``send`` (`config.server.uvicorn_internals`). Under another
# server there is a wrapper.

REQUEST_ID: Final = b"x-request-id"


def named(scope: Scope, send: Send) -> Send:
    """Gives the request its id; the returned ``send`` puts it into the answer."""
    scope[HEADER] = request_id = new_id()
    header = REQUEST_ID, request_id.encode()
    cycle = cycle_of(send)
    if cycle is not None:
        cycle.default_headers = [*cycle.default_headers, header]
        return send

    async def naming(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), header]}
        await send(message)

    return naming


HEAD_TOO_LARGE: Final = STATUS_LINE[431] + b"content-length: 0\r\nconnection: close\r\n\r\n"


async def respond(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """Sends a whole response to a GET or POST; ``headers`` are our own, in lower case."""
    cycle = cycle_of(send)
    if cycle is not None:
        await send_whole(cycle, status, headers, body)
        return
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


class PunctualProtocol(HttpToolsProtocol):
    """Cuts connections that hold on to more than they use.

    The headers of a request must arrive in time and within a size; a response before the end of the
    body ends the connection; the number of connections is limited, in all and for each peer.
    """

    _peers: ClassVar[Counter[str]] = Counter()
    _awaits_headers = True
    _awaits_body = False
    _head_size = 0
    _peer: str | None = None
    _header_timer: asyncio.TimerHandle | None = None
    _idle_since: float | None = None

    def connection_made(self, transport: Any) -> None:
        joined = JoinedWrites(transport, self.loop, self._is_sent_more, bodies.SECONDS_TO_LINGER)
        super().connection_made(joined)  # type: ignore[arg-type]
        self._peer = self.client[0] if self.client else ""
        self._peers[self._peer] += 1
        if self._is_one_too_many(self._peer):
            transport.abort()
        self._set_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._awaits_headers = self._awaits_body = False
        self._set_timer()
        if self.timeout_keep_alive_task is not None:
            self.timeout_keep_alive_task.cancel()
        if self._peer is not None:
            self._peers[self._peer] -= 1
            if not self._peers[self._peer]:
                del self._peers[self._peer]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return  # the request is answered, and nobody reads the rest
        if self._awaits_headers:
            self._head_size += len(data)
        super().data_received(data)
        if self._awaits_headers and self._head_size > bodies.LARGEST_HEAD:
            self.transport.write(HEAD_TOO_LARGE)
            self._cut()
        self._set_timer()

    def on_message_begin(self) -> None:
        self._awaits_headers, self._awaits_body = True, False
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._awaits_headers, self._awaits_body = False, True
        self._head_size = 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._awaits_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self._awaits_body and not self.pipeline:
            self.transport.close()
            with suppress(RuntimeError):  # it has left at this moment
                self.flow.resume_reading()  # the rest of the body is read and dropped
        if self.pipeline or self.transport.is_closing():
            super().on_response_complete()
            return
        self.server_state.total_requests += 1
        self.flow.resume_reading()
        self._idle_since = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self._look_again_in(self.timeout_keep_alive)

    def _unset_keepalive_if_required(self) -> None:
        """The timer stays: one for each connection and not for each request."""
        self._idle_since = None

    def _look_again_in(self, seconds: float) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(seconds, self._end_if_idle)

    def _end_if_idle(self) -> None:
        self.timeout_keep_alive_task = None
        if self._idle_since is None:
            return  # the end of the response that is on its way sets it again
        left = self._idle_since + self.timeout_keep_alive - self.loop.time()
        if left <= 0:
            self.timeout_keep_alive_handler()
        else:
            self._look_again_in(left)

    def _is_sent_more(self) -> bool:
        return self._awaits_body or (self._awaits_headers and self._head_size > bodies.LARGEST_HEAD)

    def _is_one_too_many(self, peer: str) -> bool:
        if len(self.connections) > bodies.CONNECTIONS:
            return True
        return not bodies.PROXIES and self._peers[peer] > bodies.CONNECTIONS_OF_ONE

    def send_400_response(self, msg: str) -> None:
        """The request is not HTTP, so no application sees it."""
        id_, body = new_id(), msg.encode()
        work.write_request("other", "none", 400, perf_counter(), request_id=id_)
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
                seconds = bodies.SECONDS_FOR_HEADERS
                self._header_timer = self.loop.call_later(seconds, self._cut)
        elif self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _cut(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()
