"""A connection that sends what is written within one tick of the event loop at once.

A server writes a response's head and its body one after the other. Sent together they are one
packet and one system call, which costs more than anything else that is done for a small response.
"""

import asyncio
from typing import Any, Final

AT_ONCE: Final = 64 * 1024  # more is sent without waiting for the tick to end


class JoinedWrites:
    """The transport, except that it writes a little later."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._parts: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._parts:
            self._loop.call_soon(self._send)
        self._parts.append(data)
        self._size += len(data)
        if self._size > AT_ONCE:
            self._send()

    def close(self) -> None:
        self._send()
        self._transport.close()

    def _send(self) -> None:
        if self._parts:
            data = b"".join(self._parts)
            self._parts.clear()
            self._size = 0
            self._transport.write(data)
