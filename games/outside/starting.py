"""What a process does about games from outside when it starts: it says what is refused, and learns
their words."""

from collections.abc import Iterator
from typing import Any

import structlog
from django.conf import settings
from django.core import checks

from cardroom.rules import catalog

log = structlog.get_logger(__name__)


def begin() -> None:
    for refused in catalog.REFUSED:
        log.warning("game_refused", package=refused.entry.written, reason=refused.reason)
    add_words()
    checks.register(refused_games)


def refused_games(**_: Any) -> list[checks.CheckMessage]:
    """For ``manage.py check`` and every command that checks first."""
    return [checks.Warning(str(refused), id="games.W001") for refused in catalog.REFUSED]


def lines() -> Iterator[str]:
    """A line for each package, when a service starts."""
    for one in catalog.INSTALLED:
        yield f"{one.game.name}, from {one.entry.written}"
    yield from map(str, catalog.REFUSED)


def add_words() -> None:
    """After ours, so that a sentence that is said in both is ours."""
    known = [str(path) for path in settings.LOCALE_PATHS]
    locales = [str(one.folder / "locale") for one in catalog.INSTALLED]
    settings.LOCALE_PATHS = [*known, *[path for path in locales if path not in known]]
