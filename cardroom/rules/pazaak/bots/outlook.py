"""What a position is worth to a seat that sees its own hand: its chance to win the match.

The sum of a few entries of a table that was learned from matches against itself and the levels
below (``cardroom.research.pazaak``). Entries are log-odds in whole hundredths, so compiled code
finds exactly the same chances. Positions are those after a seat's turn, and those
between two rounds.
"""

from math import exp
from typing import Annotated, Any, Final

from cardroom.rules.flat import Flat
from cardroom.rules.pazaak.bots.world import (
    AMOUNTS,
    KIND,
    VALUE,
    WAY_COUNTS,
    PazaakWorld,
)
from cardroom.rules.pazaak.predicates import PLACES, TARGET
from cardroom.rules.pazaak.side_cards import CODES

MOST_ODDS: Final = 1200
CHANCES: Final = tuple(1 / (1 + exp(-odds / 100)) for odds in range(-MOST_ODDS, MOST_ODDS + 1))
LARGEST: Final = 6
MINUS: Final = tuple(
    max(0, *(-amount for amount in AMOUNTS[n])) if KIND[n] == VALUE else 0
    for n in range(len(CODES))
)
PLUS: Final = tuple(max(0, *AMOUNTS[n]) if KIND[n] == VALUE else 0 for n in range(len(CODES)))

# Levels of what the table distinguishes.
TOTALS: Final = 24  # -3 and less to 20
SIZES: Final = PLACES + 1
MINUSES: Final = 8
RIVALS: Final = 9
MASKS: Final = 1 << LARGEST
SUMS: Final = 13
LEVELS: Final = 4
TARGETS: Final = 9  # 12 and less to 20
HELD: Final = 11
LATER: Final = 3  # cards that are still to be drawn in the match: none, a few, four or more
STARTS: Final = 2


def _ends(*sizes: int) -> tuple[tuple[int, ...], int]:
    ends, end = [], 0
    for size in sizes:
        ends.append(end)
        end += size
    return tuple(ends), end


FUTURES: Final = MINUSES * MINUSES * RIVALS * LATER * LATER
NEITHER, _first = _ends(
    SIZES * SIZES * MINUSES * RIVALS,
    SIZES * TOTALS * SUMS * 6,
    TOTALS * TOTALS * SIZES,
    TOTALS * SIZES * RIVALS,
    TOTALS * MASKS * 3,
    TOTALS * MASKS,
    FUTURES,
    TOTALS * TOTALS * MINUSES * LEVELS,
)
STANDING_MINE, _second = _ends(
    TOTALS * TOTALS * SIZES * 2,
    TOTALS * TOTALS * RIVALS,
    TOTALS * SIZES * RIVALS,
    FUTURES,
)
STANDING_THEIRS, _third = _ends(
    TOTALS * TARGETS * SIZES,
    TOTALS * TARGETS * MASKS,
    TOTALS * TARGETS * MASKS,
    TOTALS * SIZES * SUMS * 6,
    FUTURES,
)
BETWEEN, _fourth = _ends(
    HELD * 7 * HELD * LATER * STARTS,
    HELD * 20 * STARTS,
    HELD * HELD * STARTS,
    MASKS * STARTS,
    MASKS * STARTS,
)
MINE_AT: Final = _first
THEIRS_AT: Final = MINE_AT + _second
BETWEEN_AT: Final = THEIRS_AT + _third
BLOCK: Final = BETWEEN_AT + _fourth  # for each score
MOST_PLACES: Final = 8


class Sight(Flat):
    """What a seat holds, and the places in the table of a position."""

    minus: Annotated[list[int], LARGEST + 1]
    plus: Annotated[list[int], LARGEST + 1]
    minus_mask: int
    plus_mask: int
    minuses: int
    others: int
    minus_sum: int
    at: Annotated[list[int], MOST_PLACES]
    count: int
    between: int
    unseen: Annotated[list[int], 11]


def see(world: PazaakWorld, seat: int, sight: Sight) -> None:
    """Counts the hand."""
    sight.minus_mask = sight.plus_mask = sight.minuses = sight.others = sight.minus_sum = 0
    for amount in range(LARGEST + 1):
        sight.minus[amount] = sight.plus[amount] = 0
    for at in range(world.hand_size[seat]):
        hold(sight, world.hand[seat][at], 1)


def hold(sight: Sight, card: int, by: int) -> None:
    """One card more (1) or less (-1) in the hand."""
    if MINUS[card]:
        sight.minuses += by
        sight.minus_sum += by * MINUS[card]
    else:
        sight.others += by
    if KIND[card] == VALUE:
        for way in range(WAY_COUNTS[card]):
            amount = AMOUNTS[card][way]
            if amount > 0:
                sight.plus[amount] += by
                if sight.plus[amount]:
                    sight.plus_mask |= 1 << (amount - 1)
                else:
                    sight.plus_mask &= ~(1 << (amount - 1))
            else:
                sight.minus[-amount] += by
                if sight.minus[-amount]:
                    sight.minus_mask |= 1 << (-amount - 1)
                else:
                    sight.minus_mask &= ~(1 << (-amount - 1))


def rivals_cards(world: PazaakWorld, rival: int) -> int:
    """How many cards the rival may still play in this round."""
    if world.allowance[rival] < 0:
        return world.hand_size[rival]
    return min(world.allowance[rival], world.side_size[rival])


def later(world: PazaakWorld, seat: int) -> int:
    """How many more it draws: none, two, more."""
    if world.once or world.side_size[seat] == 0:
        return 0
    return 1 if world.side_size[seat] < 4 else 2


def score_at(world: PazaakWorld, mine: int, theirs: int) -> int:
    """Where the block of a score begins; rounds that are needed, not won."""
    return ((mine - 1) * world.to_win + theirs - 1) * BLOCK


def level(total: int) -> int:
    return max(0, min(TARGET, total) + 3)


def futures(world: PazaakWorld, seat: int, sight: Sight) -> int:
    rival = 1 - seat
    index = min(MINUSES - 1, sight.minuses) * MINUSES + min(MINUSES - 1, sight.others)
    index = index * RIVALS + min(RIVALS - 1, rivals_cards(world, rival))
    return (index * LATER + later(world, seat)) * LATER + later(world, rival)


def look(
    world: PazaakWorld, seat: int, total: int, size: int, tie: int, stands: int, sight: Sight
) -> None:
    """The places of the position in which ``seat`` has ended its turn with this."""
    rival = 1 - seat
    mine, theirs = level(total), level(world.total[rival])
    rivals_size, cards = world.board_size[rival], min(RIVALS - 1, rivals_cards(world, rival))
    minuses = min(MINUSES - 1, sight.minuses)
    sums = min(SUMS - 1, sight.minus_sum // 2) * 6 + min(5, sight.minuses)
    start = score_at(world, world.to_win - world.wins[seat], world.to_win - world.wins[rival])
    at = sight.at
    sight.between = 0
    if stands:
        start += MINE_AT
        both = mine * TOTALS + theirs
        at[0] = start + STANDING_MINE[0] + (both * SIZES + rivals_size) * 2 + tie
        at[1] = start + STANDING_MINE[1] + both * RIVALS + cards
        at[2] = start + STANDING_MINE[2] + (theirs * SIZES + rivals_size) * RIVALS + cards
        at[3] = start + STANDING_MINE[3] + futures(world, seat, sight)
        sight.count = 4
    elif world.standing[rival]:
        start += THEIRS_AT
        both = mine * TARGETS + max(0, world.total[rival] - 12)
        at[0] = start + STANDING_THEIRS[0] + both * SIZES + size
        at[1] = start + STANDING_THEIRS[1] + both * MASKS + sight.plus_mask
        at[2] = start + STANDING_THEIRS[2] + both * MASKS + sight.minus_mask
        at[3] = start + STANDING_THEIRS[3] + (mine * SIZES + size) * SUMS * 6 + sums
        at[4] = start + STANDING_THEIRS[4] + futures(world, seat, sight)
        sight.count = 5
    else:
        stage = 0 if size < 5 else (1 if size < 7 else 2)
        some = 0 if cards == 0 else (1 if cards < 3 else (2 if cards < 5 else 3))
        race = (size * SIZES + rivals_size) * MINUSES + minuses
        at[0] = start + NEITHER[0] + race * RIVALS + cards
        at[1] = start + NEITHER[1] + (size * TOTALS + mine) * SUMS * 6 + sums
        at[2] = start + NEITHER[2] + (mine * TOTALS + theirs) * SIZES + size
        at[3] = start + NEITHER[3] + (theirs * SIZES + rivals_size) * RIVALS + cards
        at[4] = start + NEITHER[4] + (mine * MASKS + sight.minus_mask) * 3 + stage
        at[5] = start + NEITHER[5] + mine * MASKS + sight.plus_mask
        at[6] = start + NEITHER[6] + futures(world, seat, sight)
        hands = minuses * LEVELS + some
        at[7] = start + NEITHER[7] + (mine * TOTALS + theirs) * MINUSES * LEVELS + hands
        sight.count = 8


def look_ahead(
    world: PazaakWorld, seat: int, mine: int, theirs: int, starts: int, sight: Sight
) -> None:
    """The places between two rounds; ``mine`` and ``theirs`` are rounds needed."""
    rival, minuses = 1 - seat, 0
    if not world.once:
        for n in range(world.side_size[seat]):
            if MINUS[world.side[seat][n]]:
                minuses += 1
    start = score_at(world, mine, theirs) + BETWEEN_AT
    held = min(HELD - 1, sight.minuses)
    rivals = min(HELD - 1, rivals_cards(world, rival))
    cards = (held * 7 + min(6, minuses)) * HELD + rivals
    at = sight.at
    at[0] = start + BETWEEN[0] + (cards * LATER + later(world, rival)) * STARTS + starts
    at[1] = start + BETWEEN[1] + (held * 20 + min(19, sight.minus_sum // 2)) * STARTS + starts
    at[2] = start + BETWEEN[2] + (held * HELD + min(HELD - 1, sight.others)) * STARTS + starts
    at[3] = start + BETWEEN[3] + sight.minus_mask * STARTS + starts
    at[4] = start + BETWEEN[4] + sight.plus_mask * STARTS + starts
    sight.count, sight.between = 5, 1


def chance_of(sight: Sight, table: Any) -> float:
    """What the places come to."""
    odds = 0
    for n in range(sight.count):
        odds += table[sight.at[n]]
    return CHANCES[MOST_ODDS + max(-MOST_ODDS, min(MOST_ODDS, int(odds)))]
