"""The second professor, held out: it plays every choice to the end of the round in sampled worlds.

``belief`` is what it knows, ``sampling`` deals the worlds, ``playouts`` plays them by the rule of
the gambler, ``prospects`` is what the score and the cards left are then worth.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.arena import compiled_code
from games.rules.bot import Bot, Search
from games.rules.pazaak.view import PazaakView
from games.rules.values import Event, Move
from tests.strength.opponents.second_professor.choice import choose as by_rules


def choose(view: PazaakView, events: Sequence[Event], rng: Random, playouts: int) -> Move:
    """With compiled playouts where Numba is installed."""
    if not compiled_code.installed():
        return by_rules(view, events, rng, playouts)
    from tests.strength.opponents.second_professor.compiled import compared

    return by_rules(view, events, rng, playouts, compared)


PROFESSOR: Final[Bot[PazaakView]] = Search(choose, playouts=1000, playouts_a_ms=35).bot(
    slug="second_professor",
    name="Second professor",
    summary="Plays every choice to the end of the round, again and again, with likely hands.",
    level=5,
    remembers="match",
)
