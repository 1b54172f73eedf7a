"""Getting out of a game that goes in circles.

Two bots that always choose alike can hand each other the same joker for ever, and with
``max_turns`` off nothing would end that. After many turns a bot now and then plays anything legal.
"""

from random import Random
from typing import Final

from games.rules.shithead.view import ShitheadView

PATIENCE: Final = 400  # turns; a game between four keepers takes about 110
WHIM: Final = 1 / 8


def breaks_out(view: ShitheadView, rng: Random) -> bool:
    """Whether to play any legal move this time."""
    return view.turns >= PATIENCE and rng.random() < WHIM
