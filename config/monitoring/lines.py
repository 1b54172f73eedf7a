"""One line of the log for each request and each task.

They are many, so they do not take the way of other lines through structlog: a dictionary is encoded
and written. Level INFO; where the log begins with WARNING they cost nothing.
"""

import logging
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Final

import msgspec

LOGGER: Final = "cardroom.work"

_logger = logging.getLogger(LOGGER)


def write(event: str, **facts: Any) -> None:
    """``facts`` without a value are left out."""
    if not _logger.isEnabledFor(logging.INFO):
        return
    record = logging.LogRecord(LOGGER, logging.INFO, "", 0, event, (), None)
    record.facts = facts
    _logger.handle(record)


def request(method: str, view: str, status: int, begun: float, **facts: Any) -> None:
    """A request that was answered now; ``begun`` is of ``time.perf_counter``."""
    took = round(1000 * (perf_counter() - begun), 1)
    write("request", method=method, view=view, status=status, ms=took, **facts)


class WorkLine(logging.Formatter):
    """Renders such a line: as JSON, or as ``name=value`` for people."""

    def __init__(self, *, json: bool) -> None:
        super().__init__()
        self._json = json

    def format(self, record: logging.LogRecord) -> str:
        facts: dict[str, Any] = getattr(record, "facts", {})
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        said = {name: value for name, value in facts.items() if value not in (None, "")}
        if self._json:
            line = {"event": record.msg, "level": "info", **said, "timestamp": at}
            return msgspec.json.encode(line, enc_hook=str).decode()
        words = " ".join(f"{name}={value}" for name, value in said.items())
        return f"{at} [info     ] {record.msg:<8} {words}"
