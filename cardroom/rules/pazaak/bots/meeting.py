"""Two side decks meet over many deals: the same cards for all of them, each deck at either seat.

The six rules of ``gambler`` play both. ``cardroom.fast.pazaak.search`` compiles ``meet``;
``cardroom.arena.doctor`` says what came of it.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final, NamedTuple

from cardroom.rules.pazaak.bots.six_rule import choice
from cardroom.rules.pazaak.bots.world import OVER, PazaakWorld, empty_world, open_match, play
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.side_cards import CODES, DECK_SIZE
from cardroom.rules.search import Flat, copy_into, rewind
from cardroom.rules.shuffles import Stream

SIDE_CARDS: Final = len(CODES)
MOST_SCORE: Final = 4  # half wins of a deal: a win at either seat
OWN, RIVAL, NOTED = range(3)
BY_DEAL: Final = -1

# Counts of a card, a copy at a time: matches in which it was drawn with the half wins of
# those; of the first round, the second and all later ones, rounds with it in the hand at their
# start and rounds in which it was played, each with the half wins of these rounds.
ROUNDS: Final = 3
DRAWN, DRAWN_WON, FIRST_ROUND = range(3)
HELD, HELD_WON, PLAYED, PLAYED_WON, FIGURES = range(5)
COLUMNS: Final = FIRST_ROUND + ROUNDS * FIGURES


class CardNotes(Flat):
    """``counts`` of every card; the rest is of the round in play: the hand it began with."""

    counts: Annotated[list[list[int]], SIDE_CARDS, COLUMNS]
    held: Annotated[list[int], DECK_SIZE]
    held_size: int
    round_no: int
    played: int
    wins: Annotated[list[int], 2]


class MeetingScores(NamedTuple):
    """The half wins of each meeting in each deal, and what the noted ones count of each card."""

    scores: Sequence[Sequence[int]]
    counts: Sequence[Sequence[int]]


def meet(
    later: Stream,
    starts: Any,
    rivals: Sequence[int],
    meetings: Sequence[Sequence[int]],
    decks: Sequence[Sequence[int]],
    scores: list[list[int]],
    worlds: list[PazaakWorld],
    notes: list[CardNotes],
) -> None:
    """Adds to ``scores`` the half wins of each meeting in each deal."""
    for deal in range(len(starts)):
        for nth in range(len(meetings)):
            rival = meetings[nth][RIVAL]
            if rival < 0:
                rival = rivals[deal]
            for seat in range(2):
                rewind(later, starts[deal])
                copy_into(worlds, 1, worlds[0])
                world = worlds[1]
                for at in range(DECK_SIZE):
                    world.side[seat][at] = decks[meetings[nth][OWN]][at]
                    world.side[1 - seat][at] = decks[rival][at]
                play_out(later, world, seat, meetings[nth][NOTED], notes[0])
                mine, theirs = world.wins[seat], world.wins[1 - seat]
                scores[nth][deal] += 1 + int(mine > theirs) - int(mine < theirs)


def play_out(later: Stream, world: PazaakWorld, seat: int, noted: int, notes: CardNotes) -> None:
    open_match(later, world)
    notes.round_no = 0
    while world.phase != OVER:
        if noted and notes.round_no != world.round_no:
            note_hand(world, seat, notes)
        card, amount = choice(world)
        play(world, card, amount, later)
        if noted and (world.phase == OVER or notes.round_no != world.round_no):
            note_round(world, seat, notes)
    if noted:
        won = 1 + int(world.wins[seat] > world.wins[1 - seat])
        won -= int(world.wins[seat] < world.wins[1 - seat])
        for at in range(world.side_size[seat], DECK_SIZE):  # what was drawn still lies there
            notes.counts[world.side[seat][at]][DRAWN] += 1
            notes.counts[world.side[seat][at]][DRAWN_WON] += won


def note_hand(world: PazaakWorld, seat: int, notes: CardNotes) -> None:
    notes.round_no, notes.played = world.round_no, world.played_size[seat]
    notes.held_size = world.hand_size[seat]
    for at in range(world.hand_size[seat]):
        notes.held[at] = world.hand[seat][at]
    for each in range(2):
        notes.wins[each] = world.wins[each]


def note_round(world: PazaakWorld, seat: int, notes: CardNotes) -> None:
    won = 1 + world.wins[seat] - notes.wins[seat] - world.wins[1 - seat] + notes.wins[1 - seat]
    first = FIRST_ROUND + FIGURES * (min(notes.round_no, ROUNDS) - 1)
    for at in range(notes.held_size):
        notes.counts[notes.held[at]][first + HELD] += 1
        notes.counts[notes.held[at]][first + HELD_WON] += won
    for at in range(notes.played, world.played_size[seat]):
        notes.counts[world.played[seat][at]][first + PLAYED] += 1
        notes.counts[world.played[seat][at]][first + PLAYED_WON] += won


def world_of(options: PazaakOptions) -> PazaakWorld:
    """A match before its side decks are brought."""
    world = empty_world(options, 0)
    world.last = world.round_no = 0
    world.side_size[:] = [DECK_SIZE, DECK_SIZE]
    return world


def meet_plainly(
    starts: Sequence[int],
    rivals: Sequence[int],
    meetings: Sequence[Sequence[int]],
    decks: Sequence[Sequence[int]],
    world: PazaakWorld,
) -> MeetingScores:
    """In plain Python; the compiled form gives the same.

    ``starts`` are those of the deals' streams, ``rivals`` the rival of each deal. Each of the
    ``meetings`` is the number of the own deck, of the rival's or ``BY_DEAL``, and whether the
    cards of the own deck are noted.
    """
    scores, notes = [[0] * len(starts) for _ in meetings], CardNotes()
    streams, worlds = [Stream(start) for start in starts], [world, world.copy()]
    meet(Stream(), streams, rivals, meetings, decks, scores, worlds, [notes])
    return MeetingScores(scores, notes.counts)
