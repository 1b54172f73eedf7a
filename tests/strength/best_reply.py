"""What is still to be won from `counter` at Pişti by a player who sees only his own cards.

    python -m tests.strength.best_reply --matches 4

plays matches to 151, each deal from both seats. Wherever the searcher chooses, two searches say
what each card is worth. They know for certain that the other seat is `counter`, play each card more
often than the searcher does all together, and in more worlds. The card that one of them likes best
is valued by the other, so luck of the one is not taken for worth. What the choices of a player fall
behind the best ones, added up, is all that a better player of the same views would win more (Kakade
and Langford 2002), as far as the outlook at the end of a block is right.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from games.arena import compiled_code
from games.arena.playouts import MatchInPlay
from games.arena.series import generator
from games.arena.statistics import Z95
from games.fast.pisti.search import choose as compiled_choice
from games.fast.pisti.search import compared
from games.rules import catalog, search
from games.rules.bot import Bot
from games.rules.cards import CARD
from games.rules.pisti.bots.belief import all_known, believed
from games.rules.pisti.bots.outlook import DEAL_POINTS, SPREAD, deals_after
from games.rules.pisti.bots.sampling import Known
from games.rules.pisti.bots.searcher import Task, kind_of, unlike
from games.rules.pisti.bots.story import recent_deals
from games.rules.pisti.bots.world import NO_TARGET, PistiWorld
from games.rules.pisti.predicates import PLAYS_PER_DEAL
from games.rules.pisti.view import PistiView
from games.rules.shuffles import seeded
from games.rules.stream import Stream
from games.rules.values import Event, Move, Setup

PLAYOUTS: Final = 1800  # of the searcher

PISTI = catalog.find("pisti")


@dataclass
class Watched:
    """A searcher whose choices are valued: ``missed`` is what each fell behind, in points."""

    playouts: int
    worlds: int
    missed: list[float] = field(default_factory=list)

    def choose(self, view: PistiView, events: Sequence[Event], rng: Random) -> Move:
        chosen = compiled_choice(view, events, rng, PLAYOUTS)
        known = believed(view, view.to_act[0], recent_deals(events), exact=True)
        if len(unlike(view.legal_moves)) > 1 and not all_known(known, view):
            self.missed.append(self.behind(view, certain(known), chosen, rng))
        return chosen

    def behind(self, view: PistiView, known: Known, chosen: Move, rng: Random) -> float:
        first, second = (self.worths(view, known, rng) for _ in range(2))
        chosen = next(move for move in first if kind_of(move) == kind_of(chosen))
        behind = second[_best(first)] - second[chosen] + first[_best(second)] - first[chosen]
        return behind / 2 * points_a_chance(known.worlds[0])

    def worths(self, view: PistiView, known: Known, rng: Random) -> dict[Move, float]:
        """The chance to win the match with each card."""
        moves = unlike(view.legal_moves)
        places = [[CARD[code] for code in view.hand].index(CARD[move]) for move in moves]
        candidates = [search.Candidate(move) for move in moves]
        task = Task(known, places, self.worlds, self.playouts * len(moves))
        compared(task, Stream(rng.getrandbits(64)))(candidates, self.playouts)
        return {candidate.move: candidate.mean for candidate in candidates}


def certain(known: Known) -> Known:
    """That the others are `counter`."""
    return known._replace(trust=[1.0] * len(known.trust))


def points_a_chance(world: PistiWorld) -> float:
    """Of a lead, near which one wins as often as the other."""
    share = (PLAYS_PER_DEAL - world.plays) / PLAYS_PER_DEAL
    highest = max(world.totals[side] + world.points[side] for side in range(world.sides))
    assert world.target != NO_TARGET
    return 2 * SPREAD * sqrt(share + deals_after(highest + DEAL_POINTS * share, world.target))


def _best(worths: dict[Move, float]) -> Move:
    return max(worths, key=lambda move: worths[move])


def played(deal: int, playouts: int, worlds: int) -> Iterator[tuple[list[float], int]]:
    """What was missed in a match from each seat, and over how many deals."""
    for seat in range(2):
        watched = Watched(playouts, worlds)
        bots = [PISTI.bot("counter")] * 2
        bots[seat] = Bot("watched", "Watched", "", 5, watched.choose, remembers="match")
        decks, rng = generator(1, "decks", deal), generator(1, "bots", 2 * deal + seat)
        match, options = MatchInPlay(PISTI, bots, seeded(decks), rng), PISTI.options()
        match.begin(options, [PISTI.complete_setup(options, Setup(bot.slug)) for bot in bots])
        playout = match.play()
        assert playout is not None
        yield watched.missed, playout.measures["rounds"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=4)
    parser.add_argument("--playouts", type=int, default=6000, help="of each card")
    parser.add_argument("--worlds", type=int, default=6000)
    chosen = parser.parse_args()
    compiled_code.warm_searches(PISTI.slug)
    missed, deals = list[float](), 0
    for deal in range(chosen.matches // 2):
        for found, rounds in played(deal, chosen.playouts, chosen.worlds):
            missed += found
            deals += rounds
    each, reach = fmean(missed), Z95 * stdev(missed) / sqrt(len(missed))
    a_deal = len(missed) / deals
    print(
        f"{len(missed)} choices in {deals} deals, {chosen.matches} matches: a choice falls "
        f"{each:.4f} ± {reach:.4f} points behind the best, a deal {each * a_deal:.2f} ± "
        f"{reach * a_deal:.2f}"
    )


if __name__ == "__main__":
    main()
