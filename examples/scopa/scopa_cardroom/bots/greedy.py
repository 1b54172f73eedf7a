"""Takes what is worth most now; what it cannot use it lays down, the cheapest first."""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.values import Event, Move
from scopa_cardroom.bots.sight import best_move
from scopa_cardroom.bots.worth import WORTH, gain
from scopa_cardroom.predicates import Cards
from scopa_cardroom.view import ScopaView


def greedy(view: ScopaView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    return best_move(view, gain_now)


def gain_now(card: int, taken: Cards, table: Cards) -> float:
    return gain(card, taken, table) if taken else -WORTH[card]


GREEDY: Final[Bot[ScopaView]] = Bot(
    slug="greedy",
    name="Greedy",
    summary="Takes what is worth most now.",
    level=2,
    choose=greedy,
)
