"""Outages are logged in one line, without a traceback.

While Postgres, Valkey or a disk is away every request and task fails at another place. The first
line of the exception says everything; only a bug keeps its traceback.
"""

import sys
from collections.abc import Iterator, MutableMapping
from typing import Any, Final

# By name, so that the log imports none of these libraries.
AWAY: Final = frozenset(
    {
        "celery.beat.SchedulingError",
        "kombu.exceptions.OperationalError",
        "psycopg.InterfaceError",
        "psycopg.OperationalError",  # without a state: of a connection, or of the pool
        "redis.exceptions.ConnectionError",
        "redis.exceptions.TimeoutError",
    }
)
# Of Postgres: connections, one that only reads, resources such as the disk, a server that starts
# or stops; no answer.
STATES: Final = ("08", "25006", "53", "57P")


def in_a_line(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> Any:
    """A processor of structlog: no line of the log but a bug's traceback has more than one."""
    error = exception_of(event.get("exc_info"))
    text = str(event.get("event", ""))
    if error is None:
        event["event"] = " ".join(text.split("\n")) if "\n" in text else event.get("event", "")
    elif is_outage(error):
        del event["exc_info"]
        event["event"] = _first_line(text)
        event["cause"] = f"{type(error).__name__}: {_first_line(str(error))}"
    return event


def is_outage(error: BaseException) -> bool:
    return any(map(_is_away, _causes(error)))


def _is_away(error: BaseException) -> bool:
    state = getattr(error, "sqlstate", None)
    if isinstance(state, str):
        return state.startswith(STATES)
    return any(f"{kind.__module__}.{kind.__qualname__}" in AWAY for kind in type(error).__mro__)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The exception and those it was raised from, but not others that were being handled."""
    while error is not None:
        yield error
        error = error.__cause__


def exception_of(exc_info: Any) -> BaseException | None:
    """The exception of an ``exc_info``: itself, in its triple, or the one being handled."""
    if exc_info is True:
        exc_info = sys.exc_info()
    if isinstance(exc_info, tuple):
        exc_info = exc_info[1]
    return exc_info if isinstance(exc_info, BaseException) else None


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
