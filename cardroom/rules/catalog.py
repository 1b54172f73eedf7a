"""Every game of the service: those of this tree, and those that are installed beside it.

A new game of this tree is one folder beside this file and one word here; any other one is a package
(``cardroom.rules.outside``).
"""

from pathlib import Path
from typing import Final

from cardroom.rules import outside, pazaak, pisti, pyanitsa, shithead
from cardroom.rules.game import AnyGame
from cardroom.rules.outside import Admitted, Refused

OF_THE_HOUSE: Final[tuple[AnyGame, ...]] = (
    pisti.GAME,
    pazaak.GAME,
    shithead.GAME,
    pyanitsa.GAME,
)


def from_outside() -> tuple[tuple[Admitted, ...], tuple[Refused, ...]]:
    """The installed games that are served, and those that are refused."""
    taken = {game.slug for game in OF_THE_HOUSE}
    admitted, refused = [], []
    for entry in outside.installed_entries():
        judged = outside.admit(entry, taken)
        if isinstance(judged, Admitted):
            admitted.append(judged)
            taken.add(entry.slug)
        else:
            refused.append(judged)
    return tuple(admitted), tuple(refused)


INSTALLED, REFUSED = from_outside()
GAMES: tuple[AnyGame, ...] = (*OF_THE_HOUSE, *[one.game for one in INSTALLED])


def find(slug: str) -> AnyGame:
    """The game with this slug, by its newest rules; ``KeyError`` if there is none."""
    for game in GAMES:
        if game.slug == slug:
            return game
    raise KeyError(slug)


def begun_by(slug: str, version: int) -> AnyGame:
    """The game by the version of its rules that a stored match began with; ``KeyError``.

    A newer release may have stored versions that are not known here; its matches go on by the
    newest one that is.
    """
    game = find(slug)
    try:
        return game.by_version(version)
    except KeyError:
        return game


def slugs() -> list[str]:
    return [game.slug for game in GAMES]


def installed(slug: str) -> Admitted | None:
    """The origin of a game from outside; ``None`` for the games of this tree."""
    return next((one for one in INSTALLED if one.entry.slug == slug), None)


def folder(slug: str) -> Path:
    """The folder of the modules and ``RULES.md`` of a game."""
    own = installed(slug)
    return own.folder if own else Path(__file__).parent / slug.replace("-", "_")
