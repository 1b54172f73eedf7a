"""Streams read as a client reads them, on an event loop of their own, beside the test."""

import asyncio
import json
import queue
import threading
from collections.abc import Iterator
from typing import Any

from config.server.streams import Live
from games.live.listener import LINES
from tests.patience import PATIENCE

Message = dict[str, Any]

_loop = asyncio.new_event_loop()
threading.Thread(target=_loop.run_forever, name="listening", daemon=True).start()


class Heard:
    """A stream that a response goes on with; ``names`` are the ids of its messages."""

    def __init__(self, response: Any) -> None:
        assert response.status_code == 200, response.content
        self.names: list[str] = []
        self.live: Live = response.live
        self._is_lines = response["Content-Type"] == LINES.content_type
        self._parts: queue.Queue[bytes | None] = queue.Queue()
        self._buffer = b""
        self._running = asyncio.run_coroutine_threadsafe(self._run(), _loop)

    async def _run(self) -> None:
        async def write(data: bytes) -> None:
            self._parts.put(data)

        try:
            await self.live.run(write)
        finally:
            self._parts.put(None)

    def __iter__(self) -> Iterator[Message]:
        """Every message until the stream ends."""
        end = b"\n" if self._is_lines else b"\n\n"
        while True:
            while end in self._buffer:
                text, _, self._buffer = self._buffer.partition(end)
                if message := self._read(text.decode()):
                    yield message
            part = self._parts.get(timeout=PATIENCE)
            if part is None:
                break
            self._buffer += part
        self._running.result(PATIENCE)

    def next(self, kind: str | None = None) -> Message:
        """The next message, of a kind if that is said."""
        return next(message for message in self if kind in (None, message["type"]))

    def until(self, version: int) -> list[Message]:
        """The messages up to the one that brings this version."""
        found = []
        while not found or found[-1]["version"] < version:
            found.append(self.next())
        return found

    def close(self) -> None:
        """As the client's leaving does."""
        _loop.call_soon_threadsafe(self.live.end)
        self._running.result(PATIENCE)

    def _read(self, text: str) -> Message | None:
        if self._is_lines:
            return json.loads(text) if text else None
        fields = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
        if "data" not in fields:
            return None
        self.names.append(fields.get("id", ""))
        return {"type": fields["event"]} | json.loads(fields["data"])
