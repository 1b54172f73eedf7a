"""Every game the house plays. A new game is one folder beside this file and one line here."""

from games.rules import pisti, shithead
from games.rules.game import AnyGame
from games.rules.pazaak import PAZAAK
from games.rules.pyanitsa import PYANITSA

GAMES: tuple[AnyGame, ...] = (pisti.GAME, PAZAAK, shithead.GAME, PYANITSA)


def find(slug: str) -> AnyGame:
    """The game with this slug; ``KeyError`` if the house does not play it."""
    for game in GAMES:
        if game.slug == slug:
            return game
    raise KeyError(slug)
