"""``beginner``: a person at the first table. It beats what it can, with any card that does."""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.values import Event, Move
from durak_cardroom.moves import PASS, TAKE, TRANSFER
from durak_cardroom.view import DurakView

THINKS: Final = 0.5  # of the cheapest card first
STOPS: Final = 0.3  # though it could throw another card in


def choose(view: DurakView, _events: Sequence[Event], rng: Random) -> Move:
    cards = [move for move in view.legal_moves if move not in (TAKE, PASS)]
    plain = [move for move in cards if not move.startswith(TRANSFER)]
    if not cards or (PASS in view.legal_moves and rng.random() < STOPS):
        return view.legal_moves[-1]
    return plain[0] if plain and rng.random() < THINKS else rng.choice(cards)


BEGINNER: Final[Bot[DurakView]] = Bot(
    slug="beginner",
    name="Beginner",
    summary="Beats what it can, but spends good cards early and stops too soon.",
    level=2,
    choose=choose,
)
