"""Every game of the service. A new game is one folder beside this file and one line here."""

from games.rules import pazaak, pisti, pyanitsa, shithead
from games.rules.game import AnyGame

GAMES: tuple[AnyGame, ...] = (pisti.GAME, pazaak.GAME, shithead.GAME, pyanitsa.GAME)


def find(slug: str) -> AnyGame:
    """The game with this slug; ``KeyError`` if there is none."""
    for game in GAMES:
        if game.slug == slug:
            return game
    raise KeyError(slug)
