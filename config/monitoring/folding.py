"""Equal lines of the log in a burst: the first ones are written, the others are counted.

While Postgres or Valkey is away every request fails with the same words. Lines are equal where
logger, level and message are; names, numbers and times among their values do not matter.
"""

import atexit
import logging
from dataclasses import dataclass
from threading import RLock, Timer
from time import monotonic
from typing import Any, Final

WRITTEN: Final = 5  # of equal lines in one burst
SECONDS: Final = 10.0  # then the next burst begins
MOST_KNOWN: Final = 500

Key = tuple[str, int, str]


@dataclass
class Burst:
    ends: float
    first: str
    lines: int = 0

    @property
    def folded(self) -> int:
        return max(0, self.lines - WRITTEN)


class Folding(logging.Filter):
    """A filter of a handler. The count follows when the burst ends, or this process."""

    def __init__(self) -> None:
        super().__init__()
        self._bursts: dict[Key, Burst] = {}
        self._lock = RLock()
        self._timer: Timer | None = None
        atexit.register(self.end)

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING or getattr(record, "counts", False):
            return True
        now = monotonic()
        with self._lock:
            burst = self._burst(record, now)
            burst.lines += 1
            if burst.folded == 1:
                self._tell_later()
            return not burst.folded

    def end(self) -> None:
        """Tells what was folded, and forgets it."""
        with self._lock:
            told = [(key, burst) for key, burst in self._bursts.items() if burst.folded]
            self._bursts.clear()
            self._timer = None
        for (name, level, _), burst in told:
            sentence = f"{burst.first} ({burst.folded} more like it)"
            record = logging.LogRecord(name, level, "", 0, sentence, (), None)
            record.counts = True
            logging.getLogger(name).handle(record)

    def _burst(self, record: logging.LogRecord, now: float) -> Burst:
        key = record.name, record.levelno, _event(record)
        burst = self._bursts.get(key)
        if burst is None or (now > burst.ends and not burst.folded):
            if len(self._bursts) >= MOST_KNOWN:
                self._bursts = {k: b for k, b in self._bursts.items() if b.folded}
            burst = self._bursts[key] = Burst(now + SECONDS, _sentence(record))
        return burst

    def _tell_later(self) -> None:
        if self._timer is None:
            self._timer = Timer(SECONDS, self.end)
            self._timer.daemon = True
            self._timer.start()


def _event(record: logging.LogRecord) -> str:
    """structlog's message is a dictionary; the event in it is what was said."""
    message: Any = record.msg
    return str(message.get("event", "") if isinstance(message, dict) else message)


def _sentence(record: logging.LogRecord) -> str:
    return _event(record) if isinstance(record.msg, dict) else record.getMessage()
