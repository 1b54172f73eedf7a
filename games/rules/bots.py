"""The bot every game can have: any legal move, each as likely as the other."""

from collections.abc import Sequence
from random import Random
from typing import Any

from games.rules.base import Bot, Event, Move, View


def random_move(view: View, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    return rng.choice(view.legal_moves)


RANDOM: Bot[Any] = Bot(  # it fits every game's view
    slug="random",
    name="Random",
    summary="Plays any legal move.",
    level=1,
    choose=random_move,
)
