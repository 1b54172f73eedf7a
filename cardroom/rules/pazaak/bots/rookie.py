"""``rookie``: draws below 17 and plays a card only to undo a bust."""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.pazaak.bots.chances import draws_by_itself, halves, plays
from cardroom.rules.pazaak.predicates import is_bust
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.values import Event, Move

ENOUGH: Final = 17


def choose(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    total = halves(view)[0].total
    if view.phase == "turn_start":
        return "stand" if total >= ENOUGH else "draw"
    if is_bust(total):
        mending = [play for play in plays(view) if not is_bust(play.total)]
        if mending:
            return max(mending, key=lambda play: play.total).move
    if not draws_by_itself(view):
        return "pass"
    return "stand" if total >= ENOUGH and not is_bust(total) else "end"


ROOKIE: Final[Bot[PazaakView]] = Bot(
    slug="rookie",
    name="Rookie",
    summary="Draws below 17, stands otherwise; plays a card only to undo a bust.",
    level=1,
    choose=choose,
    suggested=False,
)
