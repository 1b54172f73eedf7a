"""Deals the hidden cards at random, again and again, and plays each deal to its end."""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules import search
from cardroom.rules.bot import Search
from cardroom.rules.values import Event, Move
from scopa_cardroom.bots.world import World
from scopa_cardroom.view import ScopaView

PLAYOUTS: Final = 240


def choose(view: ScopaView, _events: Sequence[Event], rng: Random, playouts: int) -> Move:
    return search.best_move(World(view), view.legal_moves, playouts, rng)


SEARCH: Final[Search[ScopaView]] = Search(choose=choose, playouts=PLAYOUTS, playouts_a_ms=2.0)
PLANNER: Final = SEARCH.bot(
    slug="planner",
    name="Planner",
    summary="Plays on from here in its head, many times over.",
    level=4,
    cost="slow",
)
