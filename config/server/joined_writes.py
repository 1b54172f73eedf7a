"""A connection that sends what is written within one tick of the event loop at once.

A server writes a response's head and its body one after the other. Sent together they are one
packet and one system call, which costs more than anything else that is done for a small response.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

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
