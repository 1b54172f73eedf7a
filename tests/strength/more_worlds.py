"""The gain of a plain search of Pişti by more worlds: whether it has as many as it can use.

    python -m tests.strength.more_worlds --players 3 --matches 3

plays matches to 151 by plain searches. Wherever one chooses, searches of ``--worlds`` and of
``--more`` worlds choose as well, and one more of ``--more`` worlds says how many points of the deal
the two choices differ by. Its own luck is not theirs, so the mean is what the choices of more
worlds bring by the measure that the search goes by, for all choices of a seat in a match.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean, stdev

from cardroom.arena import compiled_code
from cardroom.arena.statistics import Z95
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.pisti.bots.searcher import unlike
from cardroom.rules.pisti.options import PistiOptions
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.shuffles import Stream
from cardroom.rules.values import Event, Move
from tests.strength.matches import begun
from tests.strength.opponents.flat_pisti import Flat
from tests.strength.opponents.plain import liked

PISTI = catalog.find("pisti")
PLAIN = Flat("sensible")


@dataclass
class Compared:
    """A plain search whose choices are compared with those of more worlds.

    ``gained`` are the points that each choice of more worlds brings.
    """

    worlds: int
    more: int
    gained: list[float] = field(default_factory=list)

    def choose(self, view: PistiView, events: Sequence[Event], rng: Random) -> Move:
        if len(unlike(view.legal_moves)) == 1:
            return view.legal_moves[0]
        few, many, judge = (
            PLAIN.weigh(view, events, Stream(rng.getrandbits(64)), samples)
            for samples in (self.worlds, self.more, self.more)
        )
        points = {candidate.move: candidate.mean for candidate in judge}
        self.gained.append(points[liked(many)] - points[liked(few)])
        return liked(few)


def played(deal: int, options: PistiOptions, compared: Compared) -> None:
    """A match in which every seat is such a search."""
    bot = Bot("compared", "Compared", "", 4, compared.choose, remembers="round")
    begun(PISTI, options, [bot] * options.players, deal, deal).play()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=3)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--teams", action="store_true")
    parser.add_argument("--worlds", type=int, default=17_500)
    parser.add_argument("--more", type=int, default=70_000)
    chosen = parser.parse_args()
    options = PISTI.options(players=chosen.players, teams=chosen.teams)
    compiled_code.warm_searches(PISTI.slug)
    compared = Compared(chosen.worlds, chosen.more)
    for deal in range(chosen.matches):
        played(deal, options, compared)
    gained = compared.gained
    a_match = len(gained) / chosen.matches / chosen.players
    reach = Z95 * stdev(gained) / sqrt(len(gained))
    print(
        f"{len(gained)} choices: {chosen.more} worlds choose otherwise in "
        f"{fmean(gain != 0 for gain in gained):.1%} of them, and bring a seat "
        f"{a_match * fmean(gained):.2f} ± {a_match * reach:.2f} points a match"
    )


if __name__ == "__main__":
    main()
