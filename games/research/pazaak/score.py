"""How the table of Pazaak's ``professor`` plays, by mirrored matches in compiled code.

    python -m games.research.pazaak.score kotor1 --pairs 100000

plays against the six rules, both seats with the side deck that the computers bring.
"""

import argparse
from math import sqrt
from typing import Any, Final

import numpy

from games.fast.binding import bound, float_zeros, int_rows, stream_words
from games.research.pazaak import selfplay
from games.research.pazaak.selfplay import SIX, School
from games.research.pazaak.train import school_of
from games.rules.pazaak import GAME
from games.rules.pazaak.bots import learned
from games.rules.pazaak.bots.learned import REACH
from games.rules.pazaak.bots.world import NUMBER
from games.rules.pazaak.side_cards import DECK_SIZE, reference_deck

PAIRS: Final = 100_000
HELD_OUT: Final = 1_000_003  # added to the seed: other matches than those learned from
Z: Final = 1.96

compare: Final = bound(selfplay.compare)


def shipped(preset: str) -> Any:
    """The table that the professor plays by."""
    return numpy.array(learned.read(preset), dtype=numpy.float32)


def as_computers(preset: str) -> School:
    """The professor, and both seats with the computers' own deck."""
    deck = reference_deck(GAME.choose_options(preset=preset).catalogue)
    decks = int_rows([[NUMBER[code] for code in deck]], DECK_SIZE)
    return school_of(preset)._replace(table=shipped(preset), decks=decks)


def score(school: School, pairs: int, seed: int, rival: int) -> tuple[float, float]:
    """The learner's share of the matches, and half the width of its 95 % interval."""
    rng, later, first = stream_words(), stream_words(), stream_words()
    rng[0] = seed + HELD_OUT
    scores = float_zeros(pairs)
    compare(rng, later, first, scores, rival, school)
    return float(scores.mean()), Z * float(scores.std(ddof=1)) / sqrt(pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description="Play Pazaak's professor against the six rules.")
    parser.add_argument("preset", choices=sorted(REACH))
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    share, error = score(as_computers(given.preset), given.pairs, given.seed, SIX)
    print(  # noqa: T201
        f"{given.preset}: {100 * share:.1f} ± {100 * error:.1f} % of {2 * given.pairs:,} matches"
        " against the six rules"
    )


if __name__ == "__main__":
    main()
