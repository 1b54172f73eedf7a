"""Learn the table by which Pazaak's ``professor`` weighs positions.

    python -m cardroom.research.pazaak.train classic --seed 1

plays against itself and the levels below, and writes ``classic.table`` where the bot reads it,
or to ``--out``. The same seed gives the same table. With Numba a million matches take about half a
minute. What a position seems worth is noisy: with larger steps or a longer ``DECAY`` the same
matches teach less.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy

from cardroom.fast.binding import bound, empty_records, int_rows, ints, records, stream_words
from cardroom.research.pazaak import selfplay
from cardroom.research.pazaak.selfplay import Course, Lesson, School
from cardroom.rules import tables
from cardroom.rules.pazaak import GAME
from cardroom.rules.pazaak.bots.learned import FOLDER, REACH
from cardroom.rules.pazaak.bots.outlook import BLOCK, Sight
from cardroom.rules.pazaak.bots.world import NUMBER, PazaakWorld, empty_world
from cardroom.rules.pazaak.predicates import MAIN_PACK
from cardroom.rules.pazaak.side_cards import (
    DECK_SIZE,
    READY_MADE,
    SINGLES,
    legal_catalogues,
    reference_deck,
)

USUAL: Final = 12  # times as often as another deck: what the computers bring
FLIPS: Final = ("F12", "F13", "F24", "F35", "F46", "F56", "PM3", "PM4", "PM5", "PM6")
RATES: Final = (0.3, 0.2, 0.1, 0.05, 0.02)  # of the fifths of all matches
AGAINST_SELF, AGAINST_SIX = 0.5, 0.95
EXPLORE: Final = 0.03
DECAY: Final = 0.5
AT_ONCE: Final = 10_000
MATCHES: Final = 3_000_000

learn: Final = bound(selfplay.learn)


def side_decks(catalogue: str) -> list[list[int]]:
    """What the seats bring, the computers' own deck more often."""
    usual = reference_deck(catalogue)
    others = [*(deck.cards for deck in READY_MADE), SINGLES, reference_deck("kotor1"), FLIPS]
    legal = [deck for deck in others if catalogue in legal_catalogues(deck)]
    return [[NUMBER[code] for code in deck] for deck in [usual] * USUAL + legal]


def school_of(preset: str) -> School:
    options = GAME.choose_options(preset=preset)
    world = empty_world(options, 0)
    course = Course()
    course.against_self, course.against_six = AGAINST_SELF, AGAINST_SIX
    course.explore, course.decay = EXPLORE, DECAY
    size = REACH[preset] ** 2 * BLOCK
    return School(
        worlds=records([world, world], PazaakWorld),
        sights=empty_records(1, Sight),
        courses=records([course], Course),
        lessons=empty_records(2, Lesson),
        decks=int_rows(side_decks(options.catalogue), DECK_SIZE),
        pack=ints(MAIN_PACK),
        table=numpy.zeros(size, dtype=numpy.float32),
        squares=numpy.zeros(size, dtype=numpy.float32),
        expert=numpy.zeros(0, dtype=numpy.float32),
    )


def training(
    preset: str, matches: int, seed: int, school: School | None = None
) -> Iterator[tuple[int, Any]]:
    """How many matches are played, and the table so far."""
    school = school or school_of(preset)
    rng, later = stream_words(), stream_words()
    rng[0] = seed
    for first in range(0, matches, AT_ONCE):
        done = min(first + AT_ONCE, matches)
        school.courses[0]["rate"] = RATES[first * len(RATES) // matches]
        learn(rng, later, done - first, school)
        yield done, school.table


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn how Pazaak's professor weighs positions.")
    parser.add_argument("preset", choices=sorted(REACH))
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    begun, school = time.process_time(), school_of(given.preset)
    for done, _ in training(given.preset, given.matches, given.seed, school):
        seconds = time.process_time() - begun
        print(f"\r{done:>12,} matches, {seconds:.0f} s", end="", flush=True)  # noqa: T201
    out = given.out or FOLDER / f"{given.preset}.table"
    out.write_bytes(tables.packed(school.table.tolist()))
    print(f"\n{out}: {out.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
