"""Probes answered apart from pages: they have to answer while every page waits for Postgres.

`/healthz` is answered on the event loop: it says that this process runs, and needs no thread.
`/readyz` and `/metrics` have threads of their own.
"""

import json
from typing import Final
from wsgiref.types import WSGIApplication

from config import version
from config.server.messages import Message, Receive, Scope, Send
from config.server.streams import Streams
from config.server.threaded_wsgi import ThreadedWSGI

THREADS: Final = 2
BODY: Final = json.dumps(version.healthy()).encode()
HEAD: Final[Message] = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(BODY)),
        (b"cache-control", b"no-store"),
    ],
}


class Probes:
    """Handles the requests of these paths."""

    paths: Final = frozenset({"/healthz", "/readyz", "/metrics"})

    def __init__(self, application: WSGIApplication, streams: Streams) -> None:
        self._threaded = ThreadedWSGI(application, THREADS, streams)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] != "/healthz":
            await self._threaded(scope, receive, send)
            return
        await send(dict(HEAD))
        body = b"" if scope["method"] == "HEAD" else BODY
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def close(self) -> None:
        self._threaded.close()
