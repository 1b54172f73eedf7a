"""What a game from outside does wrong on its page is its own: the plain table is drawn instead, and
the log names the game.

The log has the kind of the error and where it was raised, never its text: that may name cards.
"""

import traceback
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import structlog
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import Error as DatabaseError
from django.http import Http404

from cardroom.rules import catalog
from cardroom.rules.values import RulesError
from config.refusals import NotAllowed, Refusal

T = TypeVar("T")
MEANT = (Refusal, RulesError, Http404, PermissionDenied, SuspiciousOperation, DatabaseError)

log = structlog.get_logger(__name__)


def or_else(slug: str, draw: Callable[[], T], plain: Callable[[], T]) -> T:
    """What ``draw`` makes of a game's own page, else ``plain``; a game of the house may not fail.

    What fails without the game as well is none of its faults and is raised.
    """
    try:
        return draw()
    except Exception as error:
        if catalog.installed(slug) is None:
            raise
        drawn = plain()
        note(slug, error)
        return drawn


def decorating(slug: str, make: Callable[..., Any] | None, nothing: T) -> Callable[..., Any] | None:
    """What may be missing on the page of a game from outside: it is ``nothing`` where it fails."""
    if make is None or catalog.installed(slug) is None:
        return make

    @wraps(make)
    def made(*args: Any) -> Any:
        try:
            made_of_it = make(*args)
            return [*made_of_it] if isinstance(nothing, list) else made_of_it
        except Exception as error:  # noqa: BLE001 - whatever it is, the page goes without
            note(slug, error)
            return nothing

    return made


def acting(slug: str, perform: Callable[..., T]) -> Callable[..., T]:
    """A form of a game from outside; what it did not mean to raise is refused."""
    if catalog.installed(slug) is None:
        return perform

    @wraps(perform)
    def act(*args: Any) -> T:
        try:
            return perform(*args)
        except MEANT:
            raise
        except Exception as error:
            note(slug, error)
            raise NotAllowed("This form of the game failed.") from error

    return act


def note(slug: str, error: BaseException) -> None:
    outside = catalog.installed(slug)
    package = outside.entry.written if outside else ""
    log.error("game_table_failed", game=slug, package=package, error=_kind(error), at=_place(error))


def _kind(error: BaseException) -> str:
    return type(error).__name__


def _place(error: BaseException) -> str:
    """*scene.py, line 20, in scene*"""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    last = frames[-1]
    return f"{last.filename.rpartition('/')[2]}, line {last.lineno}, in {last.name}"
