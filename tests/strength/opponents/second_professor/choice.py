"""The second professor plays every choice to the end of the round in many worlds that it may be in.

``belief`` is what it knows, ``sampling`` deals the worlds, ``six_rule`` is how both seats play on
in them, ``prospects`` what the score and the cards left are then worth. So cards are kept for when
they decide.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from games.rules import search
from games.rules.pazaak.bots.chances import halves, plays, worth
from games.rules.pazaak.bots.world import CHOICES, PazaakWorld
from games.rules.pazaak.moves import CARD_PLAYS
from games.rules.pazaak.predicates import MAIN_PACK, PLACES, is_bust
from games.rules.pazaak.view import PazaakView
from games.rules.stream import Stream
from games.rules.values import Event, Move
from tests.strength.opponents.second_professor.belief import believed
from tests.strength.opponents.second_professor.playouts import Workspace, play_worlds
from tests.strength.opponents.second_professor.sampling import Known, Sampled

SAFE: Final = 10  # no draw is a bust
STANDING: Final = 17  # the lowest total to stand on while the rival plays


Compare = Callable[[Known, list[list[int]], Random], search.Compare]


def choose(
    view: PazaakView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    comparison: Compare | None = None,
) -> Move:
    """``comparison`` is that of the compiled form."""
    mine, rival = halves(view)
    early = len(mine.board) < PLACES - 2 and not rival.standing
    if view.phase == "turn_start" and mine.total <= SAFE and early:
        return "draw"
    moves = considered(view)
    if len(moves) == 1:
        return moves[0]
    known = believed(view, view.to_act[0], events)
    choices = [list(CHOICES[move]) for move in moves]
    if comparison is None:
        return search.best_by(_compare(known, choices, rng), moves, playouts, rng)
    compare = comparison(known, choices, rng)
    return search.best_by(compare, moves, playouts, rng, at_once=search.AT_ONCE)


def _compare(known: Known, choices: list[list[int]], rng: Random) -> search.Compare:
    (world,) = known.worlds
    sampled = Sampled([world.copy()], Stream(), list(MAIN_PACK))
    workspace = Workspace(choices, sampled, [PazaakWorld()], Stream(), list(MAIN_PACK))

    def play_in_table(worlds: int, moves: list[int], totals: list[float]) -> None:
        play_worlds(rng, worlds, moves, totals, known, workspace)

    return search.comparison(play_in_table)


def considered(view: PazaakView) -> list[Move]:
    """Every move but cards that hardly pay: they do no more than a cheaper one, or only lift the
    total to where nobody stands. A search compares a few choices well, and spends no card by
    chance.
    """
    mine, rival = halves(view)
    least = rival.total if rival.standing else STANDING
    filling = view.options.table_fill == "win"
    by_effect: dict[tuple[int, bool], Move] = {}
    for play in sorted(plays(view), key=lambda play: worth(play.code)):
        fills = filling and (play.total <= mine.total or len(play.board) == PLACES)  # R20
        pays = is_bust(mine.total) or play.total >= least or fills
        if pays and not is_bust(play.total):
            by_effect.setdefault((play.total, play.code == "T"), play.move)
    return [*(move for move in view.legal_moves if move not in CARD_PLAYS), *by_effect.values()]
