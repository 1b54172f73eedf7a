"""How bots escape from a game that repeats itself.

Two bots that always choose alike can give each other the same joker for ever, and with
``max_turns`` off nothing would end that. After many turns a bot now and then plays any legal move.
"""

from random import Random
from typing import Final

from cardroom.rules.shithead.view import ShitheadView

PATIENCE: Final = 400  # turns; a game between four keepers takes about 110
WHIM: Final = 1 / 8


def escapes_repetition(view: ShitheadView, rng: Random) -> bool:
    """Whether to play any legal move this time."""
    return view.turns >= PATIENCE and rng.random() < WHIM
