"""Every game the house plays. A new game is one folder beside this file and one line here."""

from games.rules import pisti
from games.rules.game import AnyGame
from games.rules.pazaak import PAZAAK
from games.rules.pyanitsa import PYANITSA
from games.rules.shithead import SHITHEAD

GAMES: tuple[AnyGame, ...] = (pisti.GAME, PAZAAK, SHITHEAD, PYANITSA)


def find(slug: str) -> AnyGame:
    """The game with this slug; ``KeyError`` if the house does not play it."""
    for game in GAMES:
        if game.slug == slug:
            return game
    raise KeyError(slug)
