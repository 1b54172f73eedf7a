"""Faults of one kind in the log: the first is written whole, then a line a minute counts the rest.

While Postgres or Valkey is away every request and task fails. Lines are of one kind where logger,
level and words are the same, and the place of the exception; names, numbers and times are ignored.
"""

import atexit
import logging
import os
import re
from dataclasses import dataclass
from threading import RLock, Timer
from typing import Any, Final

from config.telemetry.outages import exception_of, is_outage

SECONDS: Final = 60.0
MOST_KNOWN: Final = 500
VARIABLE: Final = re.compile(
    r"'[^']*' | \"[^\"]*\" | \b(?=\w*\d)[\w.-]+ | \d+",  # quoted, ids, times, numbers
    re.VERBOSE,
)

Kind = tuple[object, ...]


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
    """What makes two lines the same: of structlog's message, a dictionary, the event counts."""
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
