"""Requests as uvicorn hands them on, sent by the express door or past it."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from django.db import connections

from config.asgi import Hybrid
from config.telemetry.work import HEADER


@dataclass(frozen=True)
class Heard:
    """An answer; ``limit`` has the headers that tell how much the caller may still ask for."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    limit: dict[bytes, bytes] = field(compare=False, repr=False)

    def json(self) -> Any:
        return json.loads(self.body)


class Roads:
    """One web process's application, on an event loop of its own."""

    def __init__(self) -> None:
        self.hybrid = Hybrid(2)
        self._runner = asyncio.Runner()

    def close(self) -> None:
        batcher = self.hybrid.express._batcher

        async def leave() -> None:
            for _ in range(8):
                await batcher.in_a_lane(connections.close_all)

        self.run(leave())
        self.hybrid.express.close()
        self.hybrid.pages.close()
        self._runner.close()

    def run(self, work: Any) -> Any:
        return self._runner.run(work)

    def express(self, *said: Any, **more: Any) -> Heard:
        return self.run(ask(self.hybrid.express, *said, **more))

    def django(self, *said: Any, **more: Any) -> Heard:
        return self.run(ask(self.hybrid.pages, *said, **more))

    def together(self, *calls: tuple[Any, ...]) -> list[Heard]:
        """By the express door, all at once."""

        async def all_of_them() -> list[Heard]:
            return await asyncio.gather(*(ask(self.hybrid.express, *call) for call in calls))

        return self.run(all_of_them())


async def ask(
    application: Any,
    key: str,
    method: str,
    path: str,
    body: Any = None,
    headers: dict[str, str] | None = None,
) -> Heard:
    """``body`` is JSON, or bytes as they are; a header of ``None`` is left out."""
    sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    usual = {"host": "localhost", "authorization": f"Token {key}"}
    if body is not None:
        usual |= {"content-type": "application/json", "content-length": str(len(sent))}
    said = {name: value for name, value in (usual | (headers or {})).items() if value is not None}
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "method": method,
        "path": f"/api/v1/{path}",
        "query_string": query.encode(),
        "headers": [(n.encode(), v.encode("latin-1")) for n, v in said.items()],
        "http_version": "1.1",
        "scheme": "http",
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
        HEADER: "0123456789abcdef",
    }
    heard: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": sent, "more_body": False}

    async def send(message: Any) -> None:
        heard.append(message)

    await application(scope, receive, send)
    start, *parts = heard
    body = b"".join(part["body"] for part in parts)
    limit = {name: value for name, value in start["headers"] if name.startswith(b"ratelimit-")}
    headers = [pair for pair in start["headers"] if pair[0] not in limit]
    return Heard(start["status"], headers, body, limit)
