"""HTTP as uvicorn speaks it, with a limit on how long a caller may take to send its headers.

A response is one write.
"""

import asyncio
import os
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from config.server.joined_writes import JoinedWrites

SECONDS_FOR_HEADERS = float(os.environ.get("HEADER_SECONDS", "10"))


class PunctualProtocol(HttpToolsProtocol):
    """Cuts a connection whose request headers do not arrive in time, so that none is held open."""

    _header_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(JoinedWrites(transport, self.loop))  # type: ignore[arg-type]
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._headers_arrived()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        self._expect_headers()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._headers_arrived()
        super().on_headers_complete()

    def _expect_headers(self) -> None:
        if self._header_timer is None:
            self._header_timer = self.loop.call_later(SECONDS_FOR_HEADERS, self._cut)

    def _headers_arrived(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _cut(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()
