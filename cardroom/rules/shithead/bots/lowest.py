"""``lowest``: the lowest rank that may be played, all cards of it; never swaps."""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.shithead.bots.repetition import escapes_repetition
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event, Move


def choose(view: ShitheadView, _events: Sequence[Event], rng: Random) -> Move:
    """Legal moves are listed by rank, so the lowest rank's full set ends the first run of it."""
    first = view.legal_moves[0]
    if view.phase == "exchange" or first.startswith(("blind", "pickup")):
        return first
    if escapes_repetition(view, rng):
        return rng.choice(view.legal_moves)
    return [move for move in view.legal_moves if move[0] == first[0]][-1]


LOWEST: Final[Bot[ShitheadView]] = Bot(
    slug="lowest",
    name="Lowest",
    summary="Plays all cards of the lowest rank it may play, and never swaps.",
    level=1,
    choose=choose,
    suggested=False,
)
