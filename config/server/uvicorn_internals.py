"""Internals of uvicorn that we use, and why. No other module may use any.

*What is used.* uvicorn calls the application with two bound methods of one object, the
`RequestResponseCycle` of this request: ``receive`` and ``send``. `cycle_of` takes the object out of
either. With it we

* give a response its ``x-request-id`` among the headers that uvicorn writes into every response,
  instead of putting a wrapper around ``send`` (`config.server.protocol`);
* see that a body has arrived whole, as most have, and then read it without a timer, a small one
  without ``receive`` (`taken_body`, `config.server.bodies`);
* see that a client that waits for a thread has left (`config.server.threaded_wsgi`);
* keep what is the same for every request of a connection, in its ``transport`` (`memo_of`);
* write a whole response at once (`send_whole`). uvicorn's own ``send`` is called once for the head
  and once for the body, and examines every header, also those that we made ourselves.

`PunctualProtocol` (`config.server.protocol`) is a subclass of `HttpToolsProtocol`. It overrides the
parser's callbacks to limit how long a client may take and how much it may hold, and uses
``transport``, ``flow``, ``pipeline``, ``connections``, ``client`` and ``server_state``. Its
keep-alive timer is set once a connection, not once a request.

*Why.* Through the public interface every move would pay for a wrapper, a timer and two passes over
its headers; ``make bench`` measures moves with all of it. For slow clients uvicorn has no limits
and no hook to add them.

*What can go wrong.* None of these names is a promise: any release of uvicorn may change them. So
`changed` compares its code at the start with what it was when this was written (`USED`). A
difference means the public interface: uvicorn's own protocol, `cycle_of` finds nothing, answers are
the same and slower, slow clients have no limits, and one warning names what changed. The same holds
under another server, or behind a wrapper. `tests/config/server/test_uvicorn_internals.py` fails for
the locked uvicorn when a part differs, and compares what `send_whole` writes with what ``send``
writes.

*To take a new uvicorn.* Run ``make lock UPGRADE=1`` and that test. Read what it names: does
`send_whole` still do what ``send`` does, does `PunctualProtocol` still override what is called?
Mend that, record the new fingerprints here, and run ``make bench``.
"""

import hashlib
import inspect
import re
from functools import cache
from typing import Any, Final

from uvicorn.protocols.http import flow_control, httptools_impl
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from config.server.streams import Headers

__all__: Final = [
    "STATUS_LINE",
    "HttpToolsProtocol",
    "changed",
    "cycle_of",
    "is_whole",
    "memo_of",
    "send_whole",
    "taken_body",
]


# Fingerprints: code without comments and layout.
USED: Final = {
    "RequestResponseCycle.__init__": "04bbc9d9c79f",
    "RequestResponseCycle.send": "d744b2b1d727",
    "RequestResponseCycle.receive": "e7a392a4367a",
    "HttpToolsProtocol.__init__": "c0420ad3043a",
    "HttpToolsProtocol.connection_made": "8c1d055fd33a",
    "HttpToolsProtocol.connection_lost": "25fdeb43f2df",
    "HttpToolsProtocol.data_received": "e74b210e3c04",
    "HttpToolsProtocol.send_400_response": "3057fb5eed9b",
    "HttpToolsProtocol.on_message_begin": "c456bff183cd",
    "HttpToolsProtocol.on_headers_complete": "8dfdf4fc3b4f",
    "HttpToolsProtocol.on_body": "a02fa52bdf33",
    "HttpToolsProtocol.on_message_complete": "87e5be1faf50",
    "HttpToolsProtocol.on_response_complete": "bf257afb094e",
    "HttpToolsProtocol._unset_keepalive_if_required": "df160182c46a",
    "HttpToolsProtocol.timeout_keep_alive_handler": "16ae57aa33cd",
    "FlowControl": "9e84e1d3268e",
}


@cache
def changed() -> tuple[str, ...]:
    """The parts of this uvicorn that are not what they were when they were used."""
    return tuple(name for name, known in USED.items() if fingerprint(name) != known)


def fingerprint(name: str) -> str:
    """Of a class or a method; nothing where uvicorn has none of that name or no source."""
    owner, _, method = name.partition(".")
    part = getattr(flow_control if owner == "FlowControl" else httptools_impl, owner, None)
    try:
        source = inspect.getsource(getattr(part, method) if method else part)  # type: ignore[arg-type]
    except (AttributeError, OSError, TypeError):
        return ""
    return hashlib.sha256(re.sub(r"#.*|\s", "", source).encode()).hexdigest()[:12]


def cycle_of(call: Any) -> RequestResponseCycle | None:
    """The cycle whose ``receive`` or ``send`` this is; ``None`` if it is not one we know."""
    cycle = getattr(call, "__self__", None)
    return cycle if isinstance(cycle, RequestResponseCycle) and not changed() else None


def is_whole(cycle: RequestResponseCycle) -> bool:
    """Whether all of the request's body has arrived."""
    return not cycle.more_body


def taken_body(cycle: RequestResponseCycle) -> bytes | None:
    """A whole body, taken as `RequestResponseCycle.receive` does; ``None`` without a client.

    A small one has never paused the reading.
    """
    if cycle.disconnected or cycle.response_complete or cycle.waiting_for_100_continue:
        return None
    cycle.message_event.clear()
    body = bytes(cycle.body)
    cycle.body = bytearray()
    return body


def memo_of(send: Any) -> dict[bytes, str]:
    """The notes on this connection; nothing under another server."""
    cycle = cycle_of(send)
    memo: dict[bytes, str] = {} if cycle is None else getattr(cycle.transport, "memo", {})
    return memo


async def send_whole(
    cycle: RequestResponseCycle, status: int, headers: Headers, body: bytes
) -> None:
    """Send the start and the only part of a response as `RequestResponseCycle.send` does.

    ``headers`` are in lower case, with ``content-length`` and without ``connection``.
    """
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
