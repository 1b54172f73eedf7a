"""``professor``: weighs every choice by the chance to win the match, learned from many matches.

``position`` is what it knows, ``weighing`` the choices and the draws, ``outlook`` what the
positions are worth that they lead to, ``learned`` the table for that. It fills its table of nine
where that is quicker, keeps cards for the rounds that they decide, and minds the score.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

from cardroom.rules import search
from cardroom.rules.bot import Bot, Search
from cardroom.rules.pazaak.bots.chances import halves
from cardroom.rules.pazaak.bots.learned import table_of, within_reach
from cardroom.rules.pazaak.bots.outlook import Sight
from cardroom.rules.pazaak.bots.position import position_of, unseen
from cardroom.rules.pazaak.bots.reading import READING
from cardroom.rules.pazaak.bots.weighing import Workspace, weigh_choices
from cardroom.rules.pazaak.bots.world import CHOICES, PazaakWorld
from cardroom.rules.pazaak.predicates import PLACES
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.values import Event, Move, Seat, Weighing

SAFE: Final = 10  # no draw is a bust
NEAR: Final = 0.001  # nothing is sampled, so only choices as good as equal are left to chance


class Known(NamedTuple):
    """What the seat to play knows: the position, and how many of each card it may draw."""

    world: PazaakWorld
    sight: Sight


Compare = Callable[[Known, list[list[int]], Random], search.Compare]


def choose(
    view: PazaakView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    comparison: Compare | None = None,
) -> Move:
    """``comparison`` is that of the compiled form. More playouts change nothing: it draws none."""
    moves = considered(view)
    if len(moves) == 1:
        return moves[0]
    known = believed(view, view.to_act[0], events)
    choices = [list(CHOICES[move]) for move in moves]
    compare = (comparison or _compare)(known, choices, rng)
    return search.best_by(compare, moves, playouts, rng, NEAR, at_once=playouts)


def weigh(
    view: PazaakView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,  # noqa: ARG001 - it draws none
    comparison: Compare | None = None,
) -> Weighing:
    """``comparison`` is that of the compiled form; no move is left out, and nothing is sampled."""
    known = believed(view, view.to_act[0], events)
    choices = [list(CHOICES[move]) for move in view.legal_moves]
    compare = (comparison or _compare)(known, choices, rng)
    return search.weigh_by(compare, view.legal_moves, 1, batches=1)


def considered(view: PazaakView) -> list[Move]:
    """Every move, but nobody stands where no draw can be a bust."""
    mine, rival = halves(view)
    early = len(mine.board) < PLACES - 2 and not rival.standing
    if mine.total <= SAFE and early:
        return [move for move in view.legal_moves if move != "stand"]
    return list(view.legal_moves)


def believed(view: PazaakView, me: Seat, events: Sequence[Event]) -> Known:
    world = within_reach(position_of(view, me))
    sight = Sight()
    for value in unseen(view, events)[me]:
        sight.unseen[value] += 1
    return Known(world, sight)


def _compare(known: Known, choices: list[list[int]], rng: Random) -> search.Compare:
    table = table_of(known.world)
    workspace = Workspace([known.world], [known.sight], choices, table)

    def weigh_in_table(worlds: int, moves: list[int], totals: list[float]) -> None:
        weigh_choices(rng, worlds, moves, totals, workspace)

    return search.comparison(weigh_in_table)


PROFESSOR: Final[Bot[PazaakView]] = Search(
    choose, playouts=1, playouts_a_ms=1, weigh=weigh, reading=READING
).bot(
    slug="professor",
    name="Professor",
    summary="Weighs every choice and every draw by what millions of matches have taught it.",
    level=5,
    remembers="match",
)
