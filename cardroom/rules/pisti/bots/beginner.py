"""``beginner``: a person at the first table. It takes what it sees, and does not see everything.

It wins 38 of 100 matches against a newcomer who reads the table, and 41 against ``greedy``:

    manage.py arena pisti beginner tests.strength.newcomers:PISTI --matches 4000 --seed 1
    manage.py arena pisti beginner greedy --matches 4000 --seed 1
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.growth import Growth
from cardroom.rules.pisti.bots.counter import COUNTER
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event, Move

SEES: Final = 0.85  # a card that matches the top one
DARES: Final = 0.45  # to spend a jack on a pile


def choose(view: PistiView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    """A capture by rank or by a jack if it comes to mind, else any card but a jack."""
    hand, top = view.legal_moves, view.top
    matching = [card for card in hand if top is not None and card[0] == top[0]]
    if matching and rng.random() < SEES:
        return matching[0]
    jacks = [card for card in hand if card[0] == "J"]
    if jacks and top is not None and rng.random() < DARES:
        return jacks[0]
    return rng.choice([card for card in hand if card not in jacks] or jacks)


BEGINNER: Final = Bot(
    slug="beginner",
    name="Beginner",
    summary="Takes what it sees, but does not see everything.",
    level=1,
    choose=choose,
    growth=Growth(COUNTER, (0.0, 0.3, 0.5, 0.7, 0.9)),
)
