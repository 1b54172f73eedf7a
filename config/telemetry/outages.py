"""Faults that are told in one line: a server that is away is no place in this code.

While Postgres, Valkey or a disk is away every request and task fails somewhere else. What there is
to know stands in the first line of the exception; a bug keeps its traceback.
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
# Of Postgres: connections, resources such as the disk, a server that starts or stops; no answer.
STATES: Final = ("08", "53", "57P")


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
    """The exception and what it was raised from; not what happened to be handled meanwhile."""
    while error is not None:
        yield error
        error = error.__cause__


def exception_of(told: Any) -> BaseException | None:
    """What ``exc_info`` may be: an exception, its triple, or that there is one."""
    if told is True:
        told = sys.exc_info()
    if isinstance(told, tuple):
        told = told[1]
    return told if isinstance(told, BaseException) else None


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
