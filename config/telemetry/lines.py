"""One line of the log for each request and each task.

There are many of them, so they skip logging and structlog: a dictionary is encoded and written. If
the log begins with WARNING there are none, and they cost nothing.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Final

import msgspec

Facts = dict[str, Any]
STANDARD_ERROR: Final = 2

_wanted = False
_render: Callable[[str, Facts], bytes]


def configure(*, wanted: bool, json: bool) -> None:
    """Whether there are such lines in this process: as JSON, or ``name=value`` for people."""
    global _wanted, _render
    _wanted, _render = wanted, as_json if json else as_text


def write(event: str, **facts: Any) -> None:
    """``facts`` without a value are left out."""
    if _wanted:
        present = {name: value for name, value in facts.items() if value not in (None, "")}
        _put(_render(event, present))


def request(method: str, view: str, status: int, begun: float, **facts: Any) -> None:
    """A request that was answered now; ``begun`` is of ``time.perf_counter``."""
    if _wanted:
        took = round(1000 * (perf_counter() - begun), 1)
        write("request", method=method, view=view, status=status, ms=took, **facts)


def as_json(event: str, facts: Facts) -> bytes:
    line = {"event": event, "level": "info", **facts, "timestamp": datetime.now(UTC)}
    return msgspec.json.encode(line, enc_hook=str) + b"\n"


def as_text(event: str, facts: Facts) -> bytes:
    words = " ".join(f"{name}={value}" for name, value in facts.items())
    return f"{datetime.now(UTC).isoformat()} [info     ] {event:<8} {words}\n".encode()


def _put(line: bytes) -> None:
    """In one piece, so that lines of several threads do not mix; a full disk is ignored."""
    with suppress(OSError):
        os.write(STANDARD_ERROR, line)


configure(wanted=False, json=True)
