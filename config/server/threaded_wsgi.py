"""A WSGI application in a fixed number of threads, called from the event loop.

The usual adapters pay for streaming both ways in every request. Here a request's body is read
whole before a thread is taken (`config.server.bodies`), and a response that is not a stream is sent
as one message. A file is sent part by part, as fast as the client reads it; what goes on for as
long as its client listens is handed to `config.server.streams`.

A request waits for no longer than WAIT_SECONDS: at most half of it for a thread, then for the
database.
"""

import asyncio
import io
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any, TypeVar
from wsgiref.types import WSGIApplication, WSGIEnvironment

from django.conf import settings

from config.api.errors import Overloaded
from config.postgres.connections import patience
from config.refusals import Refusal
from config.server.bodies import Body, ClientDisconnected
from config.server.plain import refuse
from config.server.streams import (
    Live,
    Message,
    Receive,
    Scope,
    Send,
    Streams,
    live_of,
    without_length,
)
from config.server.uvicorn_internals import cycle_of
from config.telemetry import work
from config.telemetry.work import HEADER

ONLY_READ = frozenset({"GET", "HEAD"})
UNPREFIXED = {b"content-type": "CONTENT_TYPE", b"content-length": "CONTENT_LENGTH"}

T = TypeVar("T")


async def in_a_thread(
    threads: ThreadPoolExecutor, seconds: float, call: Callable[..., T], *arguments: Any
) -> T:
    """The result of the call. Raises Overloaded if no thread is free for it within so long."""
    running = threads.submit(call, *arguments)
    timer = asyncio.get_running_loop().call_later(seconds, running.cancel)  # not if it has begun
    try:
        return await asyncio.wrap_future(running)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise Overloaded from None
    finally:
        timer.cancel()


class ThreadedWSGI:
    def __init__(self, application: WSGIApplication, threads: int, streams: Streams) -> None:
        self.application = application
        self._streams = streams
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="web")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = perf_counter()
        try:
            with Body(scope, receive) as reading:
                response, first = await self._begun(scope, receive, await reading.read())
        except Refusal as refusal:
            status, id_ = refusal.status, scope.get(HEADER)
            work.write_request(scope["method"], "none", status, begun, request_id=id_)
            await refuse(scope, send, refusal)
            return
        except ClientDisconnected:
            return
        if scope["method"] == "HEAD":
            await self._send_head(response, send)
            return
        if response.live is not None:
            live, head = response.live, response.head()
            del response  # a stream stays for long, and does not need it
            await self._streams.serve(live, head, receive, send)
            return
        await send(response.head())
        if response.complete:
            await send({"type": "http.response.body", "body": first, "more_body": False})
            return
        loop = asyncio.get_running_loop()
        try:
            part: bytes | None = first
            while part is not None:
                await send({"type": "http.response.body", "body": part, "more_body": True})
                part = await loop.run_in_executor(self._threads, response.next)
        finally:
            await loop.run_in_executor(self._threads, response.close)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_head(self, response: "WSGIResponse", send: Send) -> None:
        """No stream begins for it, and no file is read."""
        if not response.complete:
            await asyncio.get_running_loop().run_in_executor(self._threads, response.close)
        head = response.head()
        await send(head if response.live is None else without_length(head))
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _begun(
        self, scope: Scope, receive: Receive, body: bytes
    ) -> "tuple[WSGIResponse, bytes]":
        """The response of the view, with its first part.

        A client that only wanted to read and left while all threads were busy gets none: else a
        caller that asks again and again fills the threads with answers for nobody.
        """
        response = WSGIResponse(self.application, environ(scope, body))
        cycle = cycle_of(receive) if scope["method"] in ONLY_READ else None

        def start(came: float) -> bytes:
            if cycle is not None and cycle.disconnected:
                raise ClientDisconnected
            return response.start(came)

        seconds = settings.WAIT_SECONDS / 2
        return response, await in_a_thread(self._threads, seconds, start, perf_counter())

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class WSGIResponse:
    """The response to one request; every method but `head` runs in a thread."""

    def __init__(self, application: WSGIApplication, request: WSGIEnvironment) -> None:
        self._application = application
        self._request = request
        self._parts: Iterator[bytes] = iter(())
        self._iterable: Iterable[bytes] = ()
        self._head: Message = {}
        self.complete = False
        self.live: Live | None = None

    def start(self, since: float) -> bytes:
        """Calls the application. The whole body if it is `complete`, else its first part.

        ``since`` is when it began to wait, of ``perf_counter``.
        """
        with patience(settings.WAIT_SECONDS - (perf_counter() - since)):
            return self._begun()

    def _begun(self) -> bytes:
        self._iterable = self._application(self._request, self._start_response)  # type: ignore[arg-type]
        self.live = live_of(self._iterable)
        if not getattr(self._iterable, "streaming", False):
            try:
                body = b"".join(self._iterable)
            finally:
                self.close()
            self.complete = True
            self._add_length(body)
            return body
        self._parts = iter(self._iterable)
        return next(self._parts, b"")

    def next(self) -> bytes | None:
        with patience(settings.WAIT_SECONDS / 2):
            return next(self._parts, None)

    def close(self) -> None:
        close = getattr(self._iterable, "close", None)
        if close is not None:
            close()

    def head(self) -> Message:
        return self._head

    def _add_length(self, body: bytes) -> None:
        headers = self._head["headers"]
        if body and not any(name == b"content-length" for name, _ in headers):
            headers.append((b"content-length", b"%d" % len(body)))

    def _start_response(
        self, status: str, headers: list[tuple[str, str]], exc_info: Any = None, /
    ) -> None:
        self._head = {
            "type": "http.response.start",
            "status": int(status[:3]),
            "headers": [
                (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
            ],
        }


def environ(scope: Scope, body: bytes) -> WSGIEnvironment:
    """The request as a WSGI environment."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client")
    root = scope.get("root_path", "")
    request: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": root,
        "PATH_INFO": scope["path"].removeprefix(root).encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "REMOTE_ADDR": client[0] if client else "",
        HEADER: scope.get(HEADER, ""),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name:  # would be taken for the header with hyphens, which a proxy may have set
            continue
        key = UNPREFIXED.get(name) or "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
        text = value.decode("latin-1")
        if key in request:
            text = f"{request[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{text}"
        request[key] = text
    request["CONTENT_LENGTH"] = str(len(body))  # also of a body that came in chunks
    return request
