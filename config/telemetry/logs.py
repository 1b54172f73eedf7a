"""The look of log lines; the settings name only the level and the format."""

import atexit
import logging
import os
import re
import sys
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from threading import RLock, Timer
from typing import Any, Final

import structlog

from config.telemetry.work import add_request_id, configure

# Outages are logged in one line, without a traceback.
#
# While Postgres, Valkey or a disk is away every request and task fails at another place. The
# first line of the exception says everything; only a bug keeps its traceback.

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


# Faults of one kind in the log: the first is written whole, then a line a minute counts the rest.
#
# While Postgres or Valkey is away every request and task fails. Lines are of one kind where
# logger, level and words are the same, and the place of the exception; names, numbers and times
# are ignored.

SECONDS: Final = 60.0
MOST_KNOWN: Final = 500
VARIABLE: Final = re.compile(
    r"'[^']*' | \"[^\"]*\" | \b(?=\w*\d)[\w.-]+ | \d+",  # quoted, ids, times, numbers
    re.VERBOSE,
)

Kind = tuple[object, ...]


# Each names another match, and no other place does.
EACH_SAYS_MORE: Final = {"version_went_back"}


@dataclass
class Storm:
    """Lines of one kind: how many came since the last one that was written."""

    logger: str
    level: int
    first: str
    more: int = 0


class Folding(logging.Filter):
    """A filter of a handler. Counts are written once a minute, and when this process ends."""

    def __init__(self) -> None:
        super().__init__()
        self._begin()
        atexit.register(self._end)
        os.register_at_fork(after_in_child=self._begin)  # a child has no timer and starts at zero

    def _begin(self) -> None:
        self._storms: dict[Kind, Storm] = {}
        self._lock = RLock()
        self._timer: Timer | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING or getattr(record, "counts", False):
            return True
        if _template(record) in EACH_SAYS_MORE:
            return True
        kind = kind_of(record)
        with self._lock:
            storm = self._storms.get(kind)
            if storm is not None:
                storm.more += 1
                return False
            if len(self._storms) < MOST_KNOWN:
                self._storms[kind] = Storm(record.name, record.levelno, _sentence(record))
                self._wake_in_a_minute()
            return True

    def tell(self) -> None:
        """Writes the counts. A kind that has not come again for a minute is forgotten."""
        with self._lock:
            storms = [storm for storm in self._storms.values() if storm.more]
            self._storms = {kind: storm for kind, storm in self._storms.items() if storm.more}
            lines = [_count(storm) for storm in storms]
            for storm in storms:
                storm.more = 0
            self._timer = None
            if self._storms:
                self._wake_in_a_minute()
        for line in lines:
            logging.getLogger(line.name).handle(line)

    def _end(self) -> None:
        logging.raiseExceptions = False  # where the log cannot be written, nobody hears of that
        self.tell()

    def _wake_in_a_minute(self) -> None:
        if self._timer is None:
            self._timer = Timer(SECONDS, self.tell)
            self._timer.daemon = True
            self._timer.start()


def kind_of(record: logging.LogRecord) -> Kind:
    """The key of equal lines: of structlog's message, a dictionary, the event counts."""
    return record.name, record.levelno, VARIABLE.sub("", _template(record)), *_place(record)


def _place(record: logging.LogRecord) -> tuple[object, ...]:
    """For a bug, its type and the line that raised it, so that another bug is another kind."""
    exc_info = record.msg.get("exc_info") if isinstance(record.msg, dict) else record.exc_info
    error = exception_of(exc_info)
    if error is None or is_outage(error):
        return ()
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    return (type(error), at and (at.tb_frame.f_code.co_filename, at.tb_lineno))


def _template(record: logging.LogRecord) -> str:
    message: Any = record.msg
    return str(message.get("event", "") if isinstance(message, dict) else message)


def _sentence(record: logging.LogRecord) -> str:
    message = _template(record) if isinstance(record.msg, dict) else record.getMessage()
    return message.strip().partition("\n")[0]


def _count(storm: Storm) -> logging.LogRecord:
    sentence = f"{storm.first} ({storm.more} more like it)"
    line = logging.LogRecord(storm.logger, storm.level, "", 0, sentence, (), None)
    line.counts = True
    return line


SHARED: list[structlog.typing.Processor] = [
    add_request_id,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def logging_config(level: str, shape: str) -> dict[str, Any]:
    """The LOGGING setting for lines of `json` (for machines) or `text` (for people)."""
    configure(wanted=level in ("DEBUG", "INFO"), json=shape == "json")
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    # No line says which thread wrote it: looking that up costs more than the rest of a record.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    in_a_line,
                    *_renderers(shape),
                ],
            },
        },
        "filters": {"folded": {"()": Folding}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["folded"],
            },
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            # A 4xx is a line of its request; its path may hold a secret.
            "django.request": {"level": "ERROR"},
            # Whole SQL statements with their values: states and seeds would be among them.
            "django.db.backends": {"level": "WARNING"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            # Its debug lines hold codes, tokens and secrets of programs.
            "oauthlib": {"level": "INFO"},
        },
    }


def _renderers(shape: str) -> list[structlog.typing.Processor]:
    if shape == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    # Plain tracebacks: rich ones would print the values of local variables.
    return [
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        )
    ]
