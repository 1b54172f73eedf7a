"""The ceiling at Pişti: the searcher where all hands lie open, against a player who sees his own.

`python -m tests.strength.open_hands counter 100` plays a hundred matches to 151, each deal from
both seats. No computer at the tables plays so: this one looks into the state of the match.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev
from typing import Any

from cardroom.arena import compiled_code
from cardroom.arena.playouts import MatchInPlay
from cardroom.arena.statistics import sequences_interval
from cardroom.fast.pisti.search import compared
from cardroom.rules import catalog, search
from cardroom.rules.bot import Bot
from cardroom.rules.cards import CARD
from cardroom.rules.pisti.bots.belief import Known, believed
from cardroom.rules.pisti.bots.searcher import PLAYOUTS, Task, unlike
from cardroom.rules.pisti.bots.world import give, recent_deals
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.shuffles import Stream
from cardroom.rules.values import Event, Move
from tests.strength.matches import begun
from tests.strength.opponents.flat_pisti import flat

NORMAL = 1.96  # standard errors, for 95 %
PISTI = catalog.find("pisti")


@dataclass
class Open:
    match: MatchInPlay | None = None

    def choose(self, view: PistiView, events: Sequence[Event], rng: Random) -> Move:
        moves = unlike(view.legal_moves)
        places = [[CARD[code] for code in view.hand].index(CARD[move]) for move in moves]
        task = Task(self.known(view, events), places, 1, PLAYOUTS)
        stream = Stream(rng.getrandbits(64))
        return search.best_by(compared(task, stream), moves, PLAYOUTS, stream, at_once=PLAYOUTS)

    def known(self, view: PistiView, events: Sequence[Event]) -> Known:
        """The knowledge of the searcher, and every hand."""
        assert self.match is not None
        known = believed(view, view.to_act[0], recent_deals(events), exact=True)
        (world,) = known.worlds
        for seat, hand in enumerate(self.match.state.hands):
            give(world, seat, list(hand))
        return known._replace(lot=[], hidden=[0] * len(known.hidden), wanted=list(world.sizes))


def share(rival: Bot[Any], deal: int) -> float:
    """The share of wins of open hands in one match, played from both seats."""
    won = list[bool]()
    for seat in range(2):
        looking = Open()
        bots = [rival, rival]
        bots[seat] = Bot("open", "Open", "", 5, looking.choose, remembers="match")
        looking.match = begun(PISTI, PISTI.options(), bots, deal, 2 * deal + seat)
        playout = looking.match.play()
        assert playout is not None
        won.append(seat in playout.outcome.winners)
    return fmean(won)


def main(name: str, matches: int) -> None:
    compiled_code.warm_searches(PISTI.slug)
    rival = flat(int(name.partition("_")[2])) if name.startswith("flat_") else PISTI.bot(name)
    shares = [share(rival, deal) for deal in range(matches // 2)]
    found = sequences_interval(fmean(shares), stdev(shares), len(shares), 2, NORMAL)
    value, low, high = (100 * each for each in (found.value, found.low, found.high))
    print(f"open hands against {name}: {value:.1f} % ({low:.1f}–{high:.1f}), {matches} matches")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
