"""The parts put together: settings, processes, addresses. It knows no app."""

import sys
from types import TracebackType

_usual = sys.excepthook


def _say(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """A setting that cannot be used ends every process with a sentence instead of a traceback."""
    if kind.__name__ == "ImproperlyConfigured":
        print(error, file=sys.stderr)  # noqa: T201
    else:
        _usual(kind, error, traceback)


sys.excepthook = _say
