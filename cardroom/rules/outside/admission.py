"""Whether a game from outside is served: it is imported, looked at and tried out.

Every process decides for itself and alike: nothing here depends on a clock or on chance. What a
package does wrong is its own: any exception refuses it, and the service starts without it.
"""

import re
import sys
from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from cardroom.rules.game import AnyGame, Game
from cardroom.rules.outside.entries import Entry
from cardroom.rules.outside.trial import try_out

SLUG: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST_SLUG: Final = 32  # of the column that stores it


class Admitted(NamedTuple):
    """A game that is served, where it came from, and the folder of its package."""

    entry: Entry
    game: AnyGame
    folder: Path


class Refused(NamedTuple):
    """A package that is not served, and why."""

    entry: Entry
    reason: str

    def __str__(self) -> str:
        return f"The game {self.entry.slug!r} of {self.entry.written} is refused: {self.reason}."


class Unfit(Exception):
    """What keeps a package from being served; the message is the end of a sentence."""


def admit(entry: Entry, taken: Collection[str]) -> Admitted | Refused:
    """The game of an entry, or why it is refused; ``taken`` are the slugs of others."""
    try:
        return _admitted(entry, taken)
    except Unfit as reason:
        return Refused(entry, str(reason))


def _admitted(entry: Entry, taken: Collection[str]) -> Admitted:
    if entry.misfit:
        raise Unfit(entry.misfit)
    if entry.slug in taken:
        raise Unfit(f"there is a game {entry.slug!r} already")
    if not SLUG.fullmatch(entry.slug) or len(entry.slug) > LONGEST_SLUG:
        raise Unfit(
            f"a slug has up to {LONGEST_SLUG} small letters and digits, with - between words"
        )
    game = _named(entry)
    if not isinstance(game, Game):
        raise Unfit(f"{entry.module}:{entry.name} is no Game")
    if game.slug != entry.slug:
        raise Unfit(f"its entry point names {entry.slug!r}, its game the slug {game.slug!r}")
    _try(game)
    return Admitted(entry, game, _folder(entry))


def _named(entry: Entry) -> Any:
    """What the entry point names. Whatever the import raises, ``SystemExit`` too, refuses it."""
    try:
        value: Any = import_module(entry.module)
        for name in filter(None, entry.name.split(".")):
            value = getattr(value, name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise Unfit(f"it cannot be imported: {_in_words(error)}") from error
    return value


def _try(game: AnyGame) -> None:
    try:
        fault = next(try_out(game), None)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise Unfit(f"it fails when it is played: {_in_words(error)}") from error
    if fault is not None:
        raise Unfit(fault)


def _in_words(error: BaseException) -> str:
    """An error in one line, and where it lies; never the values of the match it was raised in."""
    if isinstance(error, SyntaxError):
        place = Path(error.filename or "").name
        return f"{type(error).__name__} in {place}, line {error.lineno}: {error.msg}"
    lines = str(error).splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}".removesuffix(": ")


def _folder(entry: Entry) -> Path:
    """The folder of the package, or of the module that stands alone."""
    return Path(str(sys.modules[entry.module].__file__)).resolve().parent
