"""The gain that is left against `counter` at Pişti for a player who sees only his own cards.

    python -m tests.strength.best_reply --matches 4
    python -m tests.strength.best_reply --matches 4 --players 4 --teams

plays matches to 151, each deal from every seat (in teams from both). Wherever the searcher chooses,
two searches say what chance to win the match each card leaves. They know for certain that the
other seats are `counter`, play each card as often as the searcher does all together, and in three
times as many worlds. The card that one of them likes best is valued by the other, so luck of the
one is not taken for worth. What the choices of a player fall behind the best ones, added up, is all
that a better player of the same views would win more (Kakade and Langford 2002), as far as the
outlook at the end of a block is right. `--budget 1800` looks at a searcher of fewer playouts, and
`--beside 5000` asks a second searcher what it would choose in the same places.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean, stdev

from cardroom.arena import compiled_code
from cardroom.arena.statistics import Z95
from cardroom.fast.pisti.search import choose as compiled_choice
from cardroom.fast.pisti.search import compared
from cardroom.rules import catalog, search
from cardroom.rules.bot import Bot
from cardroom.rules.cards import CARD
from cardroom.rules.pisti.bots.belief import COUNTER, Known, all_known, believed
from cardroom.rules.pisti.bots.searcher import PLAYOUTS, Task, kind_of, unlike
from cardroom.rules.pisti.bots.world import MODELS, recent_deals
from cardroom.rules.pisti.options import PistiOptions, side_count
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.shuffles import Stream
from cardroom.rules.values import Event, Move
from tests.strength.matches import begun

PISTI = catalog.find("pisti")


@dataclass
class Watched:
    """A searcher whose choices are valued: ``missed`` is the chance that each fell behind by.

    ``playouts`` and ``worlds`` are those that value a card, ``budgets`` the playouts of the
    searcher and of others that are asked in the same places; ``missed`` has a figure for each.
    """

    playouts: int
    worlds: int
    budgets: Sequence[int]
    missed: list[list[float]] = field(default_factory=list)

    def choose(self, view: PistiView, events: Sequence[Event], rng: Random) -> Move:
        chosen = [compiled_choice(view, events, rng, budget) for budget in self.budgets]
        known = believed(view, view.to_act[0], recent_deals(events), exact=True)
        if len(unlike(view.legal_moves)) > 1 and not all_known(known, view):
            first, second = (self.worths(view, certain(known, view), rng) for _ in range(2))
            self.missed.append([behind(first, second, move) for move in chosen])
        return chosen[0]

    def worths(self, view: PistiView, known: Known, rng: Random) -> dict[Move, float]:
        """The chance to win the match with each card."""
        moves = unlike(view.legal_moves)
        places = [[CARD[code] for code in view.hand].index(CARD[move]) for move in moves]
        candidates = [search.Candidate(move) for move in moves]
        task = Task(known, places, self.worlds, self.playouts * len(moves))
        compared(task, Stream(rng.getrandbits(64)))(candidates, self.playouts)
        return {candidate.move: candidate.mean for candidate in candidates}


def certain(known: Known, view: PistiView) -> Known:
    """That the rivals are `counter`; a partner is what he seems to be."""
    me, sides = view.to_act[0], side_count(view.options)
    rivals = [seat % sides != me % sides for seat in range(view.options.players)]
    trust = list(known.trust)
    for seat, rival in enumerate(rivals):
        if rival:
            for model in range(MODELS):
                trust[seat * MODELS + model] = float(model == COUNTER)
    return known._replace(trust=trust)


def behind(first: dict[Move, float], second: dict[Move, float], chosen: Move) -> float:
    """The chance that a card falls behind the best one by the worths of two searches."""
    chosen = next(move for move in first if kind_of(move) == kind_of(chosen))
    return (second[_best(first)] - second[chosen] + first[_best(second)] - first[chosen]) / 2


def _best(worths: dict[Move, float]) -> Move:
    return max(worths, key=lambda move: worths[move])


def played(
    deal: int, options: PistiOptions, playouts: int, worlds: int, budgets: Sequence[int]
) -> Iterator[list[list[float]]]:
    """The missed gains of a match from each seat, or from each pair of partners."""
    sides = side_count(options)
    for side in range(sides):
        watched = Watched(playouts, worlds, budgets)
        searcher = Bot("watched", "Watched", "", 5, watched.choose, remembers="match")
        counter = PISTI.bot("counter")
        seats = range(options.players)
        bots = [searcher if seat % sides == side else counter for seat in seats]
        begun(PISTI, options, bots, deal, sides * deal + side).play()
        yield watched.missed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=4)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--teams", action="store_true")
    parser.add_argument("--playouts", type=int, default=20000, help="of each card")
    parser.add_argument("--worlds", type=int, default=6000)
    parser.add_argument("--budget", type=int, default=PLAYOUTS, help="of the searcher")
    parser.add_argument("--beside", type=int, default=None, help="playouts of a second one")
    chosen = parser.parse_args()
    budgets = [chosen.budget] if chosen.beside is None else [chosen.budget, chosen.beside]
    options = PISTI.options(players=chosen.players, teams=chosen.teams)
    compiled_code.warm_searches(PISTI.slug)
    missed, matches = list[list[float]](), 0
    for deal in range(-(-chosen.matches // side_count(options))):
        for found in played(deal, options, chosen.playouts, chosen.worlds, budgets):
            missed += found
            matches += 1
    a_match = 100 * len(missed) / matches
    print(
        f"{len(missed)} choices in {matches} matches fall "
        f"{_sum([row[0] for row in missed], a_match)} percent of a match behind the best ones"
    )
    if chosen.beside is not None:
        further = [row[1] - row[0] for row in missed]
        print(f"those by {chosen.beside} playouts {_sum(further, a_match)} further")


def _sum(figures: Sequence[float], times: float) -> str:
    reach = Z95 * stdev(figures) / sqrt(len(figures))
    return f"{fmean(figures) * times:.2f} ± {reach * times:.2f}"


if __name__ == "__main__":
    main()
