"""The request or task that a thread works on: its id in the log, and its line there.

A request gets an id when it comes in. Everything that it causes has the same id: lines of the log,
announcements, tasks, and tasks that these send.
"""

import os
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Final

import msgspec

UNCOUNTED: Final = "cardroom.uncounted"  # in the environment of a request that nobody made
HEADER: Final = "cardroom.request_id"
"""The key in an ASGI scope and in a WSGI environment, and the header of a task's message."""


_HALF: Final = 1 << 63
DRAWN_AT_ONCE: Final = 256


class Work:
    """``facts`` are added to its line of the log: no secrets, and no text of a client.

    ``request`` is one of Django's; ``None`` in front of it and in a task.
    """

    __slots__ = ("facts", "request", "request_id")

    def __init__(self, request_id: str, request: Any) -> None:
        self.request_id, self.request = request_id, request
        self.facts: dict[str, Any] = {}


_now: ContextVar[Work | None] = ContextVar("work", default=None)
_ids: list[str] = []
os.register_at_fork(after_in_child=_ids.clear)


def new_id() -> str:
    """16 hexadecimal digits.

    Many are drawn at once: each call to the system would let another thread have the interpreter,
    in the middle of a request, and a lane then writes a smaller batch.
    """
    try:
        return _ids.pop()
    except IndexError:
        drawn = os.urandom(8 * DRAWN_AT_ONCE).hex()
        _ids.extend(drawn[at : at + 16] for at in range(16, len(drawn), 16))
        return drawn[:16]


def request_id() -> str:
    """The id of the current work; empty outside of any."""
    work = _now.get()
    return work.request_id if work else ""


def present_request() -> Any:
    work = _now.get()
    return work.request if work else None


def as_number(request_id: str) -> int | None:
    """The id as a column stores it."""
    return int(request_id, 16) - _HALF if request_id else None


def as_text(number: int | None) -> str:
    return "" if number is None else f"{number + _HALF:016x}"


def note(**facts: Any) -> None:
    """Adds facts to the line of the current request or task."""
    work = _now.get()
    if work is not None:
        work.facts |= facts


def noted() -> dict[str, Any]:
    work = _now.get()
    return work.facts if work else {}


@contextmanager
def working_for(request_id: str) -> Iterator[Work]:
    """Until the end of the block this thread works for the request with this id."""
    work = begin(request_id)
    try:
        yield work
    finally:
        end()


def begin(request_id: str, request: Any = None) -> Work:
    work = Work(request_id, request)
    _now.set(work)
    return work


def end() -> Work | None:
    """The work that was going on."""
    work = _now.get()
    _now.set(None)
    return work


def add_request_id(
    _logger: Any, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """A processor of structlog."""
    known = request_id()
    if known:
        event.setdefault("request_id", known)
    return event


# One line of the log for each request and each task.
#
# There are many of them, so they skip logging and structlog: a dictionary is encoded and written.
# If the log begins with WARNING there are none, and they cost nothing.

Facts = dict[str, Any]
STANDARD_ERROR: Final = 2

_wanted = False
_render: Callable[[str, Facts], bytes]


def configure(*, wanted: bool, json: bool) -> None:
    """Whether there are such lines in this process: as JSON, or ``name=value`` for people."""
    global _wanted, _render
    _wanted, _render = wanted, _as_json if json else _as_words


def write(event: str, **facts: Any) -> None:
    """``facts`` without a value are left out."""
    if _wanted:
        present = {name: value for name, value in facts.items() if value not in (None, "")}
        _put(_render(event, present))


def write_request(method: str, view: str, status: int, begun: float, **facts: Any) -> None:
    """A request that was answered now; ``begun`` is of ``time.perf_counter``."""
    if _wanted:
        took = round(1000 * (perf_counter() - begun), 1)
        write("request", method=method, view=view, status=status, ms=took, **facts)


def _as_json(event: str, facts: Facts) -> bytes:
    line = {"event": event, "level": "info", **facts, "timestamp": datetime.now(UTC)}
    return msgspec.json.encode(line, enc_hook=str) + b"\n"


def _as_words(event: str, facts: Facts) -> bytes:
    words = " ".join(f"{name}={value}" for name, value in facts.items())
    return f"{datetime.now(UTC).isoformat()} [info     ] {event:<8} {words}\n".encode()


def _put(line: bytes) -> None:
    """In one piece, so that lines of several threads do not mix; a full disk is ignored."""
    with suppress(OSError):
        os.write(STANDARD_ERROR, line)


configure(wanted=False, json=True)
