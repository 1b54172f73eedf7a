"""Every game of the service. A new game is one folder beside this file and one line here."""

from games.rules import pazaak, pisti, pyanitsa, shithead
from games.rules.game import AnyGame

GAMES: tuple[AnyGame, ...] = (pisti.GAME, pazaak.GAME, shithead.GAME, pyanitsa.GAME)


def find(slug: str) -> AnyGame:
    """The game with this slug, by its newest rules; ``KeyError`` if there is none."""
    for game in GAMES:
        if game.slug == slug:
            return game
    raise KeyError(slug)


def begun_by(slug: str, version: int) -> AnyGame:
    """The game by the version of its rules that a stored match began with.

    A newer release may have stored versions that are not known here; its matches go on by the
    newest one that is.
    """
    game = find(slug)
    try:
        return game.by_version(version)
    except KeyError:
        return game
