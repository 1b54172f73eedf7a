"""Every game the house plays. A new game is one folder beside this file and one line here."""

from games.rules import pisti, pyanitsa, shithead
from games.rules.game import AnyGame
from games.rules.pazaak import PAZAAK

GAMES: tuple[AnyGame, ...] = (pisti.GAME, PAZAAK, shithead.GAME, pyanitsa.GAME)


def find(slug: str) -> AnyGame:
    """The game with this slug; ``KeyError`` if the house does not play it."""
    for game in GAMES:
        if game.slug == slug:
            return game
    raise KeyError(slug)
