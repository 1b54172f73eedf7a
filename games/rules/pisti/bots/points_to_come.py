"""How many points more than the other a seat makes from the end of a block to that of the deal.

Two tables say it, whose entries are added. Both go by the block and by the cards in the pile; one
by what else tells who takes the pile and what for, the other by the lead in cards. They are learned
from deals of the quick counter against itself (``games.research.pisti.blocks``), for two seats
under the usual points alone.
"""

from array import array
from functools import cache
from lzma import decompress
from pathlib import Path
from sys import byteorder
from typing import Final

from games.rules.cards import JACK
from games.rules.pisti.bots.world import BLOCK, PistiWorld
from games.rules.pisti.options import PistiOptions
from games.rules.pisti.predicates import PLAYS_PER_DEAL

OPTIONS: Final = PistiOptions()  # what they are learned for
FILE: Final = Path(__file__).parent / "tables" / "two_seats.table"
SCALE: Final = 256  # what a point is in the file

BLOCKS: Final = PLAYS_PER_DEAL // BLOCK - 1  # that do not end the deal
SIZES: Final = 15  # of the pile, the last one for larger ones too
MATCHING: Final = 4  # cards of the top's rank that may still come
POINTS: Final = 8  # of single cards in the pile, the last one for more too
JACKS: Final = 5  # that may still come
MOST_LEAD: Final = 24
LEADS: Final = 2 * MOST_LEAD + 1
PILES: Final = BLOCKS * SIZES * MATCHING * POINTS * JACKS  # entries of the first table


@cache
def learned() -> list[int]:
    """The entries of ``FILE``, which has two bytes for each, compressed: piles, then leads."""
    entries = array("h")
    entries.frombytes(decompress(FILE.read_bytes()))
    if byteorder == "big":
        entries.byteswap()
    return entries.tolist()


OF_PILES: Final = learned()[:PILES]
OF_LEADS: Final = learned()[PILES:]
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
    size = sized(world)
    return (OF_PILES[pile_entry(world, size)] + OF_LEADS[lead_entry(world, size)]) / SCALE


def sized(world: PistiWorld) -> int:
    """The place of the block and of the pile's size."""
    return (world.plays // BLOCK - 1) * SIZES + min(world.pile_size, SIZES - 1)


def pile_entry(world: PistiWorld, size: int) -> int:
    matching = 4 - world.seen[world.top] if world.pile_size else 0
    points = min(world.pile_points, POINTS - 1)
    return ((size * MATCHING + matching) * POINTS + points) * JACKS + 4 - world.seen[JACK]


def lead_entry(world: PistiWorld, size: int) -> int:
    lead = world.cards[world.turn] - world.cards[1 - world.turn]
    return size * LEADS + min(MOST_LEAD, max(-MOST_LEAD, lead)) + MOST_LEAD
