"""How well Pişti's searcher guesses the hands of the others.

    python -m tests.strength.guesses plain:2000 --players 3 --matches 4
    python -m tests.strength.guesses counter --players 4 --teams

plays matches to 151 in which one bot, or a plain search of so many worlds, has every seat. Wherever
a card is chosen, the searcher's worlds are sampled and weighed, and so is the world that is real.
How many times as likely as a sampled world the searcher takes it, as a logarithm, is 0 for who
knows no more than which cards are unseen; higher is better (the logarithmic score: Good 1952). The
mean stands beside that of a searcher who knows but two kinds of players, `counter` and `greedy`.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

from cardroom.arena import compiled_code
from cardroom.arena.playouts import MatchInPlay
from cardroom.arena.statistics import Z95
from cardroom.fast.binding import drawing_from
from cardroom.fast.pisti.search import fill_pool, known_in, pool_for
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.pisti.bots.belief import NEAR_COUNTER, Known, believed, explain, made_whole
from cardroom.rules.pisti.bots.searcher import Task, unlike
from cardroom.rules.pisti.bots.world import MODELS, PistiWorld, give, recent_deals
from cardroom.rules.pisti.options import PistiOptions
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.shuffles import Stream
from cardroom.rules.values import Event, Move
from tests.strength.matches import begun
from tests.strength.opponents.flat_pisti import flat

PISTI = catalog.find("pisti")
WORLDS = 500


@dataclass
class Guessing:
    """A bot whose places are looked at; by place the scores with three kinds of players and with
    two. ``match`` is the one in play."""

    bot: Bot[Any]
    worlds: int = WORLDS
    match: MatchInPlay | None = None
    scores: list[tuple[float, float]] = field(default_factory=list)

    def choose(self, view: PistiView, events: Sequence[Event], rng: Random) -> Move:
        known = believed(view, view.to_act[0], recent_deals(events), exact=True)
        if self.match is not None and known.story and len(unlike(view.legal_moves)) > 1:
            state, seed = self.match.state, rng.getrandbits(64)
            three, two = (
                score(kinds, state, seed, self.worlds) for kinds in (known, two_kinds(known))
            )
            self.scores.append((three, two))
        return self.bot.choose(view, events, rng)


def two_kinds(known: Known) -> Known:
    """As if everybody were the counter or greedy."""
    trust = list[float]()
    for first in range(0, len(known.trust), MODELS):
        chances = known.trust[first : first + MODELS]
        chances[NEAR_COUNTER] = 0.0
        made_whole(chances)
        trust += chances
    return known._replace(trust=trust)


def score(known: Known, state: PistiState, seed: int, worlds: int) -> float:
    """The logarithm of how many times as likely as a sampled world the real one is."""
    (world,) = known.worlds
    real = world.copy()
    for seat, hand in enumerate(state.hands):
        give(real, seat, list(hand))
    return log(explain(known, real, [PistiWorld()]) / mean_likelihood(known, seed, worlds))


def mean_likelihood(known: Known, seed: int, worlds: int) -> float:
    """Of so many sampled worlds."""
    task = Task(known, [], worlds, 0)
    pool = pool_for(task)
    with drawing_from(Stream(seed)) as words:
        fill_pool(words, known_in(task), pool)
    return float(pool.weights[-1]) / worlds


def play(guessing: Guessing, deal: int, options: PistiOptions) -> None:
    """A match in which the bot has every seat."""
    bot = Bot("guessing", "Guessing", "", 4, guessing.choose, remembers="match")
    guessing.match = begun(PISTI, options, [bot] * options.players, deal, deal)
    guessing.match.play()


def named(name: str) -> Bot[Any]:
    kind, _, worlds = name.partition(":")
    bot = flat(int(worlds)) if kind == "plain" else PISTI.bot(name)
    return compiled_code.quick(PISTI, bot)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bot", type=named, help="a bot of Pişti, or plain:WORLDS")
    parser.add_argument("--matches", type=int, default=4)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--teams", action="store_true")
    chosen = parser.parse_args()
    options = PISTI.options(players=chosen.players, teams=chosen.teams)
    compiled_code.warm_searches(PISTI.slug)
    guessing = Guessing(chosen.bot)
    for deal in range(chosen.matches):
        play(guessing, deal, options)
    three, two = zip(*guessing.scores, strict=True)
    print(f"{len(three)} places: {_mean(three)}; with two kinds of players {_mean(two)}")


def _mean(figures: Sequence[float]) -> str:
    return f"{fmean(figures):.2f} ± {Z95 * stdev(figures) / sqrt(len(figures)):.2f}"


if __name__ == "__main__":
    main()
