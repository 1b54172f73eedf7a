"""The strategies that play Shithead, weakest first."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from cardroom.rules.bot import RANDOM, Bot, Growth
from cardroom.rules.shithead.bots.searcher import SEARCHER, STRONG_SEARCHER
from cardroom.rules.shithead.bots.simple import KEEPER, LOWEST, escapes_repetition, swap
from cardroom.rules.shithead.bots.world import PLACE
from cardroom.rules.shithead.predicates import PICKUP, READY
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event, Move

# ``beginner``: a person at the first table. It plays low cards first, but not always.
#
# Of 100 games by the rules ``traditional`` it wins 39 against a newcomer who keeps the wild cards,
# 65 against ``lowest``, which parts with them first, and 33 against ``keeper``. By the default
# rules it wins 41 against the newcomer. Each with ``--seed 1 --matches 4000``:
#
#     manage.py arena shithead beginner tests.strength.newcomers:SHITHEAD --preset traditional
#     manage.py arena shithead beginner lowest --preset traditional
#     manage.py arena shithead keeper beginner --preset traditional
#     manage.py arena shithead beginner tests.strength.newcomers:SHITHEAD

SWAPS: Final = 0.6  # once more, as long as a hand card is better than a top card
THINKS: Final = 0.85  # of what it would rather keep
ALL: Final = 0.5  # cards of a rank at once


def choose(view: ShitheadView, _events: Sequence[Event], rng: Random) -> Move:
    if view.phase == "exchange":
        return swap(view) if rng.random() < SWAPS else READY
    if escapes_repetition(view, rng):
        return rng.choice(view.legal_moves)
    moves = [move for move in view.legal_moves if move != PICKUP]
    if not moves or moves[0].startswith("blind"):
        return rng.choice(moves or view.legal_moves)
    ranks = sorted({move[0] for move in moves}, key=PLACE.__getitem__)
    rank = ranks[0] if rng.random() < THINKS else rng.choice(ranks)
    of_rank = [move for move in moves if move[0] == rank]
    return of_rank[-1] if rng.random() < ALL else of_rank[0]


BEGINNER: Final[Bot[ShitheadView]] = Bot(
    slug="beginner",
    name="Beginner",
    summary="Plays low cards first, but not always, and lays only a few of its best cards open.",
    level=2,
    choose=choose,
    growth=Growth(SEARCHER, (0.0, 0.3, 0.55, 0.8, 1.0)),
)

BOTS: Final[tuple[Bot[Any], ...]] = (LOWEST, BEGINNER, KEEPER, SEARCHER, STRONG_SEARCHER, RANDOM)
