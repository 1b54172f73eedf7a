"""Learn the table by which Pazaak's ``professor`` weighs positions.

    python -m cardroom.research.pazaak.train classic --seed 1

plays against itself and the levels below, and writes ``classic.table`` where the bot reads it,
or to ``--out``. The same seed gives the same table. With Numba a million matches take about half a
minute. What a position seems worth is noisy: with larger steps or a longer ``DECAY`` the same
matches teach less.

Matches of Pazaak from which ``outlook`` learns, on flat worlds: compiled by ``train``.

One learner plays for both seats, or for one against the six rules of the gambler or a seat that
plays at random. Every position after a turn, and between two rounds, is worth what the next ones
of the same seat come to (TD(λ): Sutton 1988, Tesauro 1995), in a table of sums of entries (tuples:
Szubert and Jaśkowski 2014) with a step size of its own for each entry (Duchi et al. 2011).
"""

import argparse
import time
from collections.abc import Iterator
from math import exp, sqrt
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final, NamedTuple

import numpy

from cardroom.fast.binding import bound, empty_records, int_rows, records, stream_words
from cardroom.rules import values
from cardroom.rules.pazaak import GAME
from cardroom.rules.pazaak.bots.outlook import (
    BLOCK,
    FOLDER,
    MOST_PLACES,
    REACH,
    Sight,
    look_ahead,
    see,
)
from cardroom.rules.pazaak.bots.professor import HIGHEST, worth_of
from cardroom.rules.pazaak.bots.six_rule import choice
from cardroom.rules.pazaak.bots.world import (
    AMOUNTS,
    CLOSE,
    DO_OVER,
    DRAW,
    END,
    NOTHING,
    NUMBER,
    OVER,
    STAND,
    START,
    WAY_COUNTS,
    PazaakWorld,
    act,
    card_to_play,
    cards_to_play,
    draw,
    draw_hand,
    empty_world,
    end_round,
    fits,
    follow,
    next_starter,
    open_round,
    winner_of_round,
)
from cardroom.rules.pazaak.predicates import PLACES
from cardroom.rules.pazaak.side_cards import (
    DECK_SIZE,
    READY_MADE,
    SINGLES,
    legal_catalogues,
    reference_deck,
)
from cardroom.rules.search import Flat, below, chance, copy_into, fork, rewind, shuffle
from cardroom.rules.shuffles import Stream

LONGEST: Final = 400  # positions of a seat that are learned from
MOST_CHOICES: Final = 50
COPIES: Final = 4  # of a card in a main deck
SAFE: Final = 10
SELF, SIX, RANDOM, EXPERT = range(4)
EVERYBODY, NOBODY_LEARNS = -1, 2  # beside the seat that learns
STEP: Final = 100  # odds are in hundredths


class Lesson(Flat):
    """The positions of a seat in a match: their places in the table, and what they seemed worth.

    ``cut``: chance chose the move that led there, so those before learn nothing from it.
    """

    places: Annotated[list[list[int]], LONGEST, MOST_PLACES]
    counts: Annotated[list[int], LONGEST]
    worths: Annotated[list[float], LONGEST]
    cut: Annotated[list[int], LONGEST]
    length: int


class Course(Flat):
    """A course of training: chances of rivals and of random moves, steps; and a list of choices."""

    against_self: float
    against_six: float
    explore: float
    rate: float
    decay: float
    cards: Annotated[list[int], MOST_CHOICES]
    amounts: Annotated[list[int], MOST_CHOICES]


class School(NamedTuple):
    """``worlds``: the rules, and one to play; ``decks``: side decks, one of which a seat brings;
    ``expert``: the table of a rival that learns nothing, empty if there is none. Tables are arrays.
    """

    worlds: list[PazaakWorld]
    sights: list[Sight]
    courses: Any
    lessons: list[Lesson]
    decks: list[list[int]]
    table: Any
    squares: Any
    expert: Any


def learn(rng: Random, later: Stream, matches: int, school: School) -> None:
    """Plays so many matches, and learns from each."""
    course = school.courses[0]
    for _ in range(matches):
        fork(rng, later)
        rival = EXPERT if len(school.expert) else SELF
        kind = chance(rng)
        if rival == SELF and kind >= course.against_self:
            rival = SIX if kind < course.against_six else RANDOM
        learner = below(rng, 2)
        begin(rng, later, school)
        play_match(rng, later, learner, rival, school)
        for seat in range(2):
            if rival == SELF or seat == learner:
                look_back(seat, school)


def begin(rng: Random, later: Random, school: School) -> None:
    """R3, R5."""
    copy_into(school.worlds, 1, school.worlds[0])
    world = school.worlds[1]
    for seat in range(2):
        school.lessons[seat].length = 0
        which = below(rng, len(school.decks))
        for at in range(DECK_SIZE):
            world.side[seat][at] = school.decks[which][at]
        shuffle(rng, world.side[seat], DECK_SIZE)
        world.side_size[seat] = DECK_SIZE
        if world.once:
            draw_hand(world, seat)
    world.starter = world.opener = below(rng, 2)
    world.round_no = 0
    open_round(world, later)
    if world.at_end:
        draw(world)


def play_match(rng: Random, later: Random, learner: int, rival: int, school: School) -> None:
    world, course = school.worlds[1], school.courses[0]
    while world.phase != OVER:
        cut = 0
        if rival == SIX and world.turn != learner:
            card, amount = choice(world)
        else:
            learns = rival == SELF or world.turn == learner
            if rival == EXPERT and not learns:
                nth = pick(rng, 0.0, school.expert, school)
            else:
                nth = pick(rng, course.explore if learns else 1.0, school.table, school)
            cut = int(learns and nth >= MOST_CHOICES)
            nth %= MOST_CHOICES
            card, amount = course.cards[nth], course.amounts[nth]
            if learns:
                note_turn(card, amount, cut, school)
        carry_on(later, card, amount, cut, learner if rival != SELF else EVERYBODY, school)


def pick(rng: Random, explore: float, table: Any, school: School) -> int:
    """The number of the best choice; more by ``MOST_CHOICES`` if it was left to chance."""
    world, sight, course = school.worlds[1], school.sights[0], school.courses[0]
    seat = world.turn
    early = world.total[seat] <= SAFE and world.board_size[seat] < PLACES - 2
    count = list_choices(world, course)
    if explore and chance(rng) < explore:
        return MOST_CHOICES + below(rng, count)
    if world.phase == START and early and not world.standing[1 - seat]:
        return 0
    look_round(world, seat, sight)
    best, highest = 0, -1.0
    for nth in range(count):
        worth = worth_of(world, course.cards[nth], course.amounts[nth], sight, table)
        if worth > highest:
            best, highest = nth, worth
    return best


def compare(
    rng: Random, later: Stream, first: Stream, scores: list[float], rival: int, school: School
) -> None:
    """Adds to ``scores`` the share of each pair of mirrored matches that the learner wins, against
    the six rules or the table that learns nothing."""
    world, course = school.worlds[1], school.courses[0]
    for pair in range(len(scores)):
        fork(rng, first)
        for learner in range(2):
            rewind(later, first)
            begin(later, later, school)
            while world.phase != OVER:
                if world.turn != learner and rival == SIX:
                    card, amount = choice(world)
                else:
                    table = school.table if world.turn == learner else school.expert
                    nth = pick(rng, 0.0, table, school)
                    card, amount = course.cards[nth], course.amounts[nth]
                carry_on(later, card, amount, 0, NOBODY_LEARNS, school)
            mine, theirs = world.wins[learner], world.wins[1 - learner]
            scores[pair] += 0.25 if mine == theirs else 0.5 * int(mine > theirs)


def look_round(world: PazaakWorld, seat: int, sight: Sight) -> None:
    see(world, seat, sight)
    for value in range(1, HIGHEST + 1):
        sight.unseen[value] = COPIES
    for at in range(world.drawn[seat]):
        sight.unseen[world.main[seat][at]] -= 1


def list_choices(world: PazaakWorld, course: Course) -> int:
    """Writes down what the seat to play may do; how much that is."""
    cards, amounts, seat = course.cards, course.amounts, world.turn
    amounts[0] = amounts[1] = 0
    if world.phase == START:
        cards[0], cards[1] = DRAW, STAND
        return 2
    cards[0], cards[1] = END, STAND
    count = 2 if world.at_end else 1
    if world.phase == CLOSE:
        return count
    for at in range(cards_to_play(world, seat)):
        card = card_to_play(world, seat, at)
        for way in range(WAY_COUNTS[card] if fits(world, card) else 0):
            cards[count], amounts[count] = card, AMOUNTS[card][way]
            count += 1
    return count


def note_turn(card: int, amount: int, cut: int, school: School) -> None:
    """Writes the position down that a turn ends with, if the round goes on."""
    world, sight = school.worlds[1], school.sights[0]
    if card == DRAW or (card >= 0 and world.at_end):
        return
    look_round(world, world.turn, sight)
    sight.count = 0
    worth_of(world, card, amount, sight, school.table)
    if sight.count and not sight.between:
        note(world.turn, cut, school)


def note(seat: int, cut: int, school: School) -> None:
    lesson, sight = school.lessons[seat], school.sights[0]
    nth, odds = lesson.length, 0.0
    if nth == LONGEST:
        return
    for n in range(sight.count):
        lesson.places[nth][n] = sight.at[n]
        odds += school.table[sight.at[n]]
    lesson.counts[nth], lesson.cut[nth] = sight.count, cut
    lesson.worths[nth] = 1 / (1 + exp(-odds / STEP))
    lesson.length = nth + 1


def carry_on(later: Random, card: int, amount: int, cut: int, learner: int, school: School) -> None:
    """``rounds.play``, and what is learned between two rounds."""
    world, mover = school.worlds[1], school.worlds[1].turn
    do = act(world, card, amount)
    while do != NOTHING:
        if do != DO_OVER:
            do = follow(world, do)
        else:
            winner = winner_of_round(world)
            for seat in range(2):
                if learner in (EVERYBODY, seat):
                    note_round(seat, winner, cut if seat == mover else 0, school)
            do = end_round(world, later)


def note_round(seat: int, winner: int, cut: int, school: School) -> None:
    world, sight = school.worlds[1], school.sights[0]
    mine = world.to_win - world.wins[seat] - int(winner == seat)
    theirs = world.to_win - world.wins[1 - seat] - int(winner == 1 - seat)
    if mine and theirs:
        see(world, seat, sight)
        look_ahead(world, seat, mine, theirs, int(next_starter(world, winner) == seat), sight)
        note(seat, cut, school)


def look_back(seat: int, school: School) -> None:
    """From the end of the match to its beginning, towards what followed."""
    world, lesson, course = school.worlds[1], school.lessons[seat], school.courses[0]
    mine, theirs = world.wins[seat], world.wins[1 - seat]
    goal = 0.5 if mine == theirs else (1.0 if mine > theirs else 0.0)
    cut = 0
    for nth in range(lesson.length - 1, -1, -1):
        worth = lesson.worths[nth]
        if cut:
            goal = worth
        else:
            step(lesson, nth, goal - worth, course.rate, school)
            goal = course.decay * goal + (1 - course.decay) * worth
        cut = lesson.cut[nth]


def step(lesson: Lesson, nth: int, error: float, rate: float, school: School) -> None:
    for n in range(lesson.counts[nth]):
        at = lesson.places[nth][n]
        school.squares[at] += error * error
        school.table[at] += STEP * rate * error / sqrt(school.squares[at] + 1)


USUAL: Final = 12  # times as often as another deck: what the computers bring
FLIPS: Final = ("F12", "F13", "F24", "F35", "F46", "F56", "PM3", "PM4", "PM5", "PM6")
RATES: Final = (0.3, 0.2, 0.1, 0.05, 0.02)  # of the fifths of all matches
AGAINST_SELF, AGAINST_SIX = 0.5, 0.95
EXPLORE: Final = 0.03
DECAY: Final = 0.5
AT_ONCE: Final = 10_000
MATCHES: Final = 3_000_000

learn_compiled: Final = bound(learn)


def side_decks(catalogue: str) -> list[list[int]]:
    """The side decks of the seats in training, the computers' own deck more often."""
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
        learn_compiled(rng, later, done - first, school)
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
    out.write_bytes(values.packed(school.table.tolist()))
    print(f"\n{out}: {out.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
