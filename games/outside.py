"""A game from outside: its words, its files, and what is done when it fails.

Each only below the names that are the game's own: a package can neither replace a page of ours nor
change a sentence that we translate.
"""

import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import structlog
from django.conf import settings
from django.contrib.staticfiles import utils
from django.contrib.staticfiles.finders import BaseFinder
from django.core import checks
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.files.storage import FileSystemStorage
from django.db import Error as DatabaseError
from django.http import Http404
from django.template import Origin
from django.template.loaders.filesystem import Loader

from cardroom.rules import catalog
from cardroom.rules.values import RulesError
from config.refusals import NotAllowed, Refusal

# A fault of an outside game on its page stays its own: the plain table is drawn instead, and the
# log names the game.
#
# The log has the kind of the error and where it was raised, never its text: that may name cards.

T = TypeVar("T")
MEANT = (Refusal, RulesError, Http404, PermissionDenied, SuspiciousOperation, DatabaseError)

log = structlog.get_logger(__name__)


def or_else(slug: str, draw: Callable[[], T], plain: Callable[[], T]) -> T:
    """A game's own page by ``draw``, else ``plain``; a game of the house may not fail.

    A failure that happens without the game as well is not its fault and is raised.
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
    """A part that the page of a game from outside may lack: ``nothing`` where it fails."""
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


# Templates and static files of games from outside: those below ``games/tables/<slug>/``.


def place_of(slug: str) -> str:
    return f"games/tables/{slug}/"


def _folders(kind: str, name: str = "") -> Iterator[tuple[str, Path]]:
    """Each installed game's place and folder of this kind; with a name those that it belongs to."""
    for one in catalog.INSTALLED:
        place, folder = place_of(one.entry.slug), one.folder / kind
        if name.startswith(place if name else "") and folder.is_dir():
            yield place, folder


class OutsideTemplates(Loader):
    def get_dirs(self) -> list[Any]:
        return [folder for _, folder in _folders("templates")]

    def get_template_sources(self, template_name: str) -> Iterator[Origin]:
        if any(_folders("templates", template_name)):
            yield from super().get_template_sources(template_name)


class OutsideFiles(BaseFinder):
    def check(self, **_: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: Any = False, **_: Any) -> Any:  # noqa: FBT002
        folders = [
            str(folder / path)
            for _, folder in _folders("static", path)
            if path and _is_below(folder, path)
        ]
        return folders if find_all else next(iter(folders), [])

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        for place, folder in _folders("static"):
            storage = FileSystemStorage(location=folder)
            if (folder / place).is_dir():
                patterns = [*(ignore_patterns or ())]
                for path in utils.get_files(storage, patterns, place.rstrip("/")):
                    yield path, storage


def _is_below(folder: Path, path: str) -> bool:
    file = (folder / path).resolve()
    return file.is_file() and file.is_relative_to(folder.resolve())


# Games from outside when a process starts: it says what is refused, and learns
# their words.


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
