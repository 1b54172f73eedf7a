"""The worth of the end of a four-card block: the chance to win the match from there.

The constants are fitted to deals of the quick counter against itself: what the seat that starts the
next block makes of the pile, how far a lead in cards goes towards the majority, and the chance to
win a match from every score. Of two sides it follows from the points of 150,000 deals, of three and
four from 300 matches of the counter each. Under the usual points tables say what a deal still
brings (``points_to_come``), in place of the first two.

How many points more than the others a side makes from the end of a block to that of the deal.

Two tables say it, whose entries are added. Both go by the block and by the cards in the pile; one
by what else tells who takes the pile and what for, the other by the side's lead in cards. Each kind
of match has its own: two seats, three, four, and four in teams. They are learned from deals of the
quick counter against itself (``cardroom.research.pisti.blocks``), for the usual points alone.
"""

from math import erf, exp, sqrt, tanh
from pathlib import Path
from typing import Final, NamedTuple

from cardroom.rules import values
from cardroom.rules.cards import JACK
from cardroom.rules.pisti.bots.world import HAND, NO_TARGET, PistiWorld
from cardroom.rules.pisti.options import PistiOptions, side_count
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL

FOLDER: Final = Path(__file__).parent / "tables"
SCALE: Final = 256  # what a point is in a file, which has the piles, then the leads

SIZES: Final = 15  # of the pile, the last one for larger ones too
MATCHING: Final = 4  # cards of the top's rank that may still come
POINTS: Final = 8  # of single cards in the pile, the last one for more too
JACKS: Final = 5  # that may still come
MOST_LEAD: Final = 24
LEADS: Final = 2 * MOST_LEAD + 1
A_SIZE: Final = MATCHING * POINTS * JACKS  # piles of a size, as far as they are told apart


class Kind(NamedTuple):
    """Of matches: what its tables are called, and the options that they are learned for."""

    name: str
    options: PistiOptions

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.table"

    @property
    def blocks(self) -> int:
        """Those that do not end the deal."""
        return PLAYS_PER_DEAL // (HAND * self.options.players) - 1

    @property
    def sides(self) -> int:
        return entered(side_count(self.options))

    @property
    def sizes(self) -> int:
        """By the block, the side, counted from the one to play, and the size of the pile."""
        return self.blocks * self.sides * SIZES


def entered(sides: int) -> int:
    """How many of the sides have entries. Of two the one to play: its gain is the other's loss."""
    return 1 if sides == 2 else sides


KINDS: Final = (
    Kind("two_seats", PistiOptions()),
    Kind("three_seats", PistiOptions(players=3)),
    Kind("four_seats", PistiOptions(players=4)),
    Kind("teams", PistiOptions(players=4, teams=True)),
)
READ: Final = [values.read(kind.file).tolist() for kind in KINDS]
OF_PILES: Final = [
    entry for kind, read in zip(KINDS, READ, strict=True) for entry in read[: kind.sizes * A_SIZE]
]
OF_LEADS: Final = [
    entry for kind, read in zip(KINDS, READ, strict=True) for entry in read[kind.sizes * A_SIZE :]
]
FIRST_SIZE: Final = [sum(each.sizes for each in KINDS[:nth]) for nth in range(len(KINDS))]
SINGLE: Final = KINDS[0].options.pisti_points
DOUBLE: Final = KINDS[0].options.double_pisti_points
MAJORITY: Final = KINDS[0].options.majority_points


def knows(world: PistiWorld) -> bool:
    """Whether the tables are for such a match, at the end of a block."""
    return (
        world.plays > 0
        and world.single == SINGLE
        and world.double == DOUBLE
        and world.majority == MAJORITY
    )


def more_to_come(world: PistiWorld, side: int, other: int) -> float:
    """The points of a side less those of another."""
    if world.sides == 2:
        return points_to_come(world, side)
    more = points_to_come(world, side) - points_to_come(world, other)
    return more * (world.sides - 1) / world.sides


def points_to_come(world: PistiWorld, side: int) -> float:
    """Of a side, less the mean of the others."""
    if world.sides == 2 and side != world.turn % world.sides:
        return -learned(world, 1 - side)
    return learned(world, side)


def learned(world: PistiWorld, side: int) -> float:
    """The entries of a side; where there are two, of the one to play."""
    place = FIRST_SIZE[kind_of(world)] + place_of_size(world, side)
    return (OF_PILES[pile_entry(world, place)] + OF_LEADS[lead_entry(world, place, side)]) / SCALE


def kind_of(world: PistiWorld) -> int:
    """Its place in ``KINDS``."""
    return 3 if world.sides < world.players else world.players - 2


def place_of_size(world: PistiWorld, side: int) -> int:
    """By the block, by the side and by the size of the pile."""
    size = world.pile_size if world.pile_size < SIZES else SIZES - 1
    block = world.plays // (HAND * world.players) - 1
    after = (side - world.turn) % world.sides
    return (block * entered(world.sides) + after) * SIZES + size


def pile_entry(world: PistiWorld, place: int) -> int:
    """The index of this pile in the first table."""
    matching = 4 - world.seen[world.top] if world.pile_size else 0
    points = world.pile_points if world.pile_points < POINTS else POINTS - 1
    return ((place * MATCHING + matching) * POINTS + points) * JACKS + 4 - world.seen[JACK]


def lead_entry(world: PistiWorld, place: int, side: int) -> int:
    """The index in the second table of this side's lead in cards before the best of the others."""
    best = 0
    for other in range(world.sides):
        if other != side and world.cards[other] > best:
            best = world.cards[other]
    lead = world.cards[side] - best
    if lead > MOST_LEAD:
        lead = MOST_LEAD
    elif lead < -MOST_LEAD:
        lead = -MOST_LEAD
    return place * LEADS + MOST_LEAD + lead


# By the number of sides, from none to four:
SPREAD: Final = (0.0, 0.0, 20.0, 13.0, 12.0)  # of the difference between two that a deal makes
DEAL_POINTS: Final = (0.0, 0.0, 13.4, 8.6, 6.5)  # of one side
PACE: Final = (0.0, 0.0, 12.0, 10.0, 8.0)  # points by which a deal brings the first to the target

LAST_DEAL: Final = 0.8  # deals that are played once the leading side is there
OUTLOOK_MAJORITY: Final = 0.75  # of the majority's points are foreseen by the lead in cards
CARDS_SPREAD: Final = 3.0
LARGEST_EXPONENT: Final = 300.0


def chance_to_win(world: PistiWorld, side: int) -> float:
    """The chance that ``side`` wins the match; those of all sides add up to about one."""
    left, target, sides = PLAYS_PER_DEAL - world.plays, world.target, world.sides
    best, leaders, highest = -1, 0, 0
    for each in range(sides):
        total = world.totals[each] + world.points[each]
        if total + world.bonus[each] > highest:
            highest = total + world.bonus[each]
        if total > best:
            best, leaders = total, 1
        elif total == best:
            leaders += 1
    if left:
        share = left / PLAYS_PER_DEAL
        after = deals_after(highest + DEAL_POINTS[sides] * share, sides, target)
        return wins(world, side, share + after)
    if target == NO_TARGET or (best >= target and leaders == 1):
        is_first = world.totals[side] + world.points[side] == best
        return 1.0 / leaders if is_first else 0.0
    return wins(world, side, max(LAST_DEAL, deals_after(float(best), sides, target)))


def wins(world: PistiWorld, side: int, deals: float) -> float:
    """Logistic in the points to each of the others: the odds of being behind them add up."""
    behind, spread = 0.0, SPREAD[world.sides] * sqrt(deals)
    if world.sides == 2:  # the same, in fewer steps
        return 0.5 + 0.5 * tanh(lead(world, side, 1 - side) / spread)
    for other in range(world.sides):
        if other != side:
            behind += exp(min(-2 * lead(world, side, other) / spread, LARGEST_EXPONENT))
    return 1 / (1 + behind)


def deals_after(highest: float, sides: int, target: int) -> float:
    """About how many deals follow this one."""
    if target == NO_TARGET:
        return 0.0
    return max(0.0, (target - highest) / PACE[sides] + LAST_DEAL)


def lead(world: PistiWorld, side: int, other: int) -> float:
    """The points that a side is in front of another, those to come from this position included."""
    left = PLAYS_PER_DEAL - world.plays
    before = world.totals[side] - world.totals[other]
    points = world.points[side] - world.points[other]
    if left == 0:
        return float(before + points)
    bonus = world.bonus[side] - world.bonus[other]
    if knows(world):
        return before + points + bonus + more_to_come(world, side, other)
    return before + points + bonus + estimated(world, side, other)


def estimated(world: PistiWorld, side: int, other: int) -> float:
    """The points to come, where no table tells them."""
    left = PLAYS_PER_DEAL - world.plays
    cards = (world.cards[side] - world.cards[other]) / (CARDS_SPREAD * sqrt(left + 1))
    to_play = world.turn % world.sides
    starting = 1.0 if to_play == side else -1.0 if to_play == other else 0.0
    return OUTLOOK_MAJORITY * world.majority * erf(cards) + starting * to_start(world, left)


def to_start(world: PistiWorld, left: int) -> float:
    """The worth of playing first on the pile that lies there."""
    if not world.pile_size:
        return -1.1 - 0.05 * left
    matching = 4 - world.seen[world.top]
    if world.pile_size == 1:
        return 2.5 - 0.17 * left + 2.2 * matching + 0.3 * world.pile_points
    return (world.pile_points + world.pile_size / 9) * (0.12 + 0.14 * matching) - 0.9
