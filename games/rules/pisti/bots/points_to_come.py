"""How many points more than the other a seat makes from the end of a block to that of the deal.

Two tables say it, whose entries are added. Both go by the block and by the cards in the pile; one
by what else tells who takes the pile and what for, the other by the lead in cards. They are learned
from deals of the quick counter against itself (``games.research.pisti.blocks``), for two seats
under the usual points alone.
"""

from pathlib import Path
from typing import Final

from games.rules import tables
from games.rules.cards import JACK
from games.rules.pisti.bots.world import BLOCK, PistiWorld
from games.rules.pisti.options import PistiOptions
from games.rules.pisti.predicates import PLAYS_PER_DEAL

OPTIONS: Final = PistiOptions()  # what they are learned for
FILE: Final = Path(__file__).parent / "tables" / "two_seats.table"
SCALE: Final = 256  # what a point is in the file, which has the piles, then the leads

BLOCKS: Final = PLAYS_PER_DEAL // BLOCK - 1  # that do not end the deal
SIZES: Final = 15  # of the pile, the last one for larger ones too
MATCHING: Final = 4  # cards of the top's rank that may still come
POINTS: Final = 8  # of single cards in the pile, the last one for more too
JACKS: Final = 5  # that may still come
MOST_LEAD: Final = 24
LEADS: Final = 2 * MOST_LEAD + 1
PILES: Final = BLOCKS * SIZES * MATCHING * POINTS * JACKS  # entries of the first table


ENTRIES: Final = tables.read(FILE).tolist()
OF_PILES: Final = ENTRIES[:PILES]
OF_LEADS: Final = ENTRIES[PILES:]
SINGLE: Final = OPTIONS.pisti_points
DOUBLE: Final = OPTIONS.double_pisti_points
MAJORITY: Final = OPTIONS.majority_points


def knows(world: PistiWorld) -> bool:
    """Whether the tables are for such a match, at the end of a block."""
    return (
        world.players == 2
        and world.plays > 0
        and world.single == SINGLE
        and world.double == DOUBLE
        and world.majority == MAJORITY
    )


def points_to_come(world: PistiWorld) -> float:
    """Of the seat to play, less those of the other."""
    place = place_of_size(world)
    return (OF_PILES[pile_entry(world, place)] + OF_LEADS[lead_entry(world, place)]) / SCALE


def place_of_size(world: PistiWorld) -> int:
    """By the block and by the size of the pile."""
    size = world.pile_size if world.pile_size < SIZES else SIZES - 1
    return (world.plays // BLOCK - 1) * SIZES + size


def pile_entry(world: PistiWorld, place: int) -> int:
    """Where the first table has this pile."""
    matching = 4 - world.seen[world.top] if world.pile_size else 0
    points = world.pile_points if world.pile_points < POINTS else POINTS - 1
    return ((place * MATCHING + matching) * POINTS + points) * JACKS + 4 - world.seen[JACK]


def lead_entry(world: PistiWorld, place: int) -> int:
    """Where the second table has this lead in cards."""
    lead = world.cards[world.turn] - world.cards[1 - world.turn]
    if lead > MOST_LEAD:
        lead = MOST_LEAD
    elif lead < -MOST_LEAD:
        lead = -MOST_LEAD
    return place * LEADS + MOST_LEAD + lead
