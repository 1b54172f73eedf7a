"""``professor``: plays every choice to the end of the match in many worlds that it may be in.

``belief`` is what it knows, ``six_rule`` how both seats play on in such a world. The worth of a
choice is the share of these matches that it wins, so cards are kept for when they decide.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.rules import search
from games.rules.bot import Bot, Search
from games.rules.pazaak.bots.belief import Belief
from games.rules.pazaak.bots.chances import halves
from games.rules.pazaak.predicates import PLACES
from games.rules.pazaak.view import PazaakView
from games.rules.values import Event, Move

SAFE: Final = 10  # no draw is a bust


def choose(view: PazaakView, events: Sequence[Event], rng: Random, playouts: int) -> Move:
    mine, rival = halves(view)
    early = len(mine.board) < PLACES - 2 and not rival.standing
    if view.phase == "turn_start" and mine.total <= SAFE and early:
        return "draw"
    if len(view.legal_moves) == 1:
        return view.legal_moves[0]
    belief = Belief(view, view.to_act[0], events)
    return search.best_move(belief, view.legal_moves, playouts, rng)


PROFESSOR: Final[Bot[PazaakView]] = Search(choose, playouts=1000, playouts_a_ms=25).bot(
    slug="professor",
    name="Professor",
    summary="Plays every choice to the end of the match, again and again, with likely hands.",
    level=5,
    remembers="match",
    cost="slow",
    seconds=1.0,
)
