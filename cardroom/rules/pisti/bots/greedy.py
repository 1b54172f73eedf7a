"""The classic computer player of small programs; stronger bots are measured against it."""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event, Move


def choose(view: PistiView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    """Captures by rank; else opens with its first plain card; else plays its last, jack or not."""
    hand = view.legal_moves
    if view.top is None:
        wanted = [card for card in hand if card[0] not in "JA"]
    else:
        wanted = [card for card in hand if card[0] == view.top[0]]
    return wanted[0] if wanted else hand[-1]


GREEDY: Final = Bot(
    slug="greedy",
    name="Greedy",
    summary="Captures by rank whenever it can and otherwise plays what comes.",
    level=2,
    choose=choose,
)
