"""The score of a table of Pazaak's ``professor``, by mirrored matches in compiled code.

    python -m cardroom.research.pazaak.score kotor1 --pairs 100000

plays against the six rules, both seats with the side deck that the computers bring or with
``--deck P1,P1,P2,...``. With ``--learn 500000`` it is not the professor's table that plays but one
that has learned from so many matches with that deck alone, which nobody can count on at a table.

    python -m cardroom.research.pazaak.score classic --exploit 500000 --pairs 50000

tells how much can be won from the professor by somebody who knows how it plays. A learner plays so
many matches against it alone, which does not change meanwhile; then both play mirrored matches that
neither has seen. What the learner scores above 50 can at least be gained; a real best response may
gain more.
"""

import argparse
from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

import numpy

from cardroom.fast.binding import bound, float_zeros, int_rows, stream_words
from cardroom.research.pazaak import train
from cardroom.research.pazaak.train import EXPERT, SIX, School, school_of, training
from cardroom.rules.pazaak import GAME
from cardroom.rules.pazaak.bots import outlook
from cardroom.rules.pazaak.bots.outlook import REACH
from cardroom.rules.pazaak.bots.world import NUMBER
from cardroom.rules.pazaak.side_cards import DECK_SIZE, reference_deck

PAIRS: Final = 100_000
HELD_OUT: Final = 1_000_003  # added to the seed: other matches than those learned from
Z: Final = 1.96
LEARNED: Final = 30  # of squared errors; a table that knows something takes small steps at once

compare: Final = bound(train.compare)


def shipped(preset: str) -> Any:
    """The table that the professor plays by."""
    return numpy.array(outlook.read(preset), dtype=numpy.float32)


def as_computers(preset: str, deck: Sequence[str] = ()) -> School:
    """The professor, and both seats with this deck or the computers' own."""
    deck = deck or reference_deck(GAME.choose_options(preset=preset).catalogue)
    decks = int_rows([[NUMBER[code] for code in deck]], DECK_SIZE)
    return school_of(preset)._replace(table=shipped(preset), decks=decks)


def learned_with(school: School, preset: str, matches: int, seed: int) -> School:
    """A new table instead, learned with the decks of this school alone."""
    fresh = school_of(preset)._replace(decks=school.decks)
    for _ in training(preset, matches, seed, fresh):
        pass
    return school._replace(table=fresh.table)


def against_the_professor(preset: str) -> School:
    """The learner begins with what the professor knows, and both bring what computers bring."""
    school = as_computers(preset)._replace(expert=shipped(preset))
    school.squares[:] = LEARNED
    return school


def exploited(preset: str, matches: int, seed: int, pairs: int) -> tuple[float, float]:
    school = against_the_professor(preset)
    for _ in training(preset, matches, seed, school):
        pass
    return score(school, pairs, seed, EXPERT)


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
    parser.add_argument("--deck", default="", help="ten cards with commas between, for both seats")
    parser.add_argument("--learn", type=int, default=0, help="matches to learn from, with it alone")
    parser.add_argument("--exploit", type=int, default=0, help="matches to learn its weakness from")
    given = parser.parse_args()
    if given.exploit:
        share, error = exploited(given.preset, given.exploit, given.seed, given.pairs)
        rival = f"the professor after learning from {given.exploit:,}"
    else:
        (share, error), rival = scored(given), "the six rules"
    print(  # noqa: T201
        f"{given.preset}: {100 * share:.1f} ± {100 * error:.1f} % of {2 * given.pairs:,} matches"
        f" against {rival}"
    )


def scored(given: argparse.Namespace) -> tuple[float, float]:
    school = as_computers(given.preset, given.deck.split(",") if given.deck else ())
    if given.learn:
        school = learned_with(school, given.preset, given.learn, given.seed)
    return score(school, given.pairs, given.seed, SIX)


if __name__ == "__main__":
    main()
