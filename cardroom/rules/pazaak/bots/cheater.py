"""``cheater``: the gambler's rule with the whole side deck to choose from (R25), and it says so."""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.pazaak.bots import gambler
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.values import Event, Move


def choose(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:
    """The view's legal moves hold every card left in the side deck, so the rule is the same."""
    return gambler.choose(view, events, rng)


CHEATER: Final[Bot[PazaakView]] = Bot(
    slug="cheater",
    name="Cheater",
    summary="Cheats openly: has no hand but picks from its whole side deck. Never rated.",
    level=3,
    choose=choose,
    rated=False,
)
