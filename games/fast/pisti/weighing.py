"""How seats play in the worlds of ``searcher``, compiled: ``quick_counter`` and ``models``, number
for number.
"""

from math import exp
from typing import Any, Final

import numpy

from games.fast.compiling import inner
from games.fast.pisti.worlds import (
    DOUBLE,
    HAND,
    HANDS,
    MAJORITY,
    PILE,
    PILE_POINTS,
    PLAYERS,
    POINTS_OF,
    RANKS,
    REFUSED,
    SEEN,
    SIDES,
    SINGLE,
    SIZES,
    TOP,
    TURN,
)
from games.rules.cards import ACE, JACK
from games.rules.pisti.bots import models, quick_counter
from games.rules.pisti.bots.world import EMPTY

HOLDS: Final = numpy.array(quick_counter.HOLDS)


@inner
def count_rank(world: Any, hand: int, size: int, rank: int) -> int:
    count = 0
    for at in range(size):
        count += world[hand + at] % RANKS == rank
    return count


@inner
def matches_of_plain(world: Any, hand: int, cards: int) -> int:
    """How many unseen cards match the cards of a hand, jacks aside."""
    matching = 0
    for at in range(cards):
        rank = world[hand + at] % RANKS
        if rank != JACK:
            matching += 4 - world[SEEN + rank] - count_rank(world, hand, cards, rank)
    return matching


@inner
def weigh(world: Any, setting: Any, worths: Any) -> None:
    """``quick_counter.weigh`` into ``worths``."""
    seat, players, sides = world[TURN], setting[PLAYERS], setting[SIDES]
    hand, cards = HANDS + HAND * seat, world[SIZES + seat]
    top, size = world[TOP], world[PILE]
    after = seat + 1 if seat + 1 < players else 0
    refused, held = world[REFUSED + after], world[SIZES + after]
    seen = 0
    for rank in range(RANKS):
        seen += world[SEEN + rank]
    unseen = 52 - seen - cards
    share = setting[MAJORITY] / quick_counter.MAJORITY_OVER
    pile = world[PILE_POINTS] + share * size
    jacks = count_rank(world, hand, cards, JACK)
    jack_there = 0.0
    if not (refused >> JACK) & 1:
        jack_there = HOLDS[held, 4 - world[SEEN + JACK] - jacks, unseen]
    plain = max(1, unseen - 4 + world[SEEN + JACK] + jacks)
    matching = matches_of_plain(world, hand, cards)
    for at in range(cards):
        card = world[hand + at]
        rank = card % RANKS
        still = 4 - world[SEEN + rank] - count_rank(world, hand, cards, rank)
        kept = jacks - (1 if rank == JACK else 0)
        if players == 2:
            matches = min(1.0, (matching - (0 if rank == JACK else still)) / plain)
            takes = 1.0 if kept else matches
            sign = 1.0
        else:
            matches = min(1.0, 12 / plain)
            takes = matches + jack_there
            sign = 1.0 if sides == 2 else -1 / (sides - 1)
        value = POINTS_OF[card] + share
        if size and rank in (top, JACK):
            worth = pile + value + quick_counter.KEPT_JACK * kept + sign * matches * setting[SINGLE]
            if size == 1 and rank == top:
                worth += setting[DOUBLE] if rank == JACK else setting[SINGLE]
        else:
            lying = pile + value
            by_rank = 0.0 if (refused >> rank) & 1 else HOLDS[held, still, unseen]
            by_jack = 0.0
            if rank != JACK:
                by_jack = (1 - by_rank) * jack_there * lying / (lying + quick_counter.JACK_PILE)
            bait = 0
            if not size:
                bait = setting[DOUBLE] if rank == JACK else setting[SINGLE]
            lost = by_rank * (lying + value + bait + quick_counter.TEMPO)
            lost = lost + by_jack * (lying + 1 + share + quick_counter.TEMPO)
            left = (1 - by_rank - by_jack) * (lying + share + quick_counter.TEMPO)
            worth = quick_counter.KEPT_JACK * kept + sign * takes * left - lost
        worths[at] = worth


@inner
def counters_place(world: Any, setting: Any, worths: Any) -> int:
    """``quick_counter.pick``: the place in the hand."""
    cards, best = world[SIZES + world[TURN]], 0
    weigh(world, setting, worths)
    for at in range(1, cards):
        if worths[at] > worths[best]:
            best = at
    return best


@inner
def greedy_wants(world: Any, rank: int) -> bool:
    if world[TOP] == EMPTY:
        return rank != JACK and rank != ACE
    return rank == world[TOP]  # type: ignore[no-any-return]


@inner
def greedys_place(world: Any) -> int:
    """``models.greedy_pick``."""
    hand, cards = HANDS + HAND * world[TURN], world[SIZES + world[TURN]]
    for at in range(cards):
        if greedy_wants(world, world[hand + at] % RANKS):
            return at
    return cards - 1  # type: ignore[no-any-return]


@inner
def counter_likelihood(world: Any, setting: Any, worths: Any) -> float:
    """``models.counter_odds`` of the first card."""
    cards = world[SIZES + world[TURN]]
    best = worths[counters_place(world, setting, worths)]
    odds = 0.0
    for at in range(cards):
        odds += exp((worths[at] - best) / models.TEMPERATURE)
    return surprised(exp((worths[0] - best) / models.TEMPERATURE) / odds, cards)


@inner
def greedy_likelihood(world: Any) -> float:
    """``models.greedy_odds`` of the first card."""
    hand, cards = HANDS + HAND * world[TURN], world[SIZES + world[TURN]]
    wanted = 0
    for at in range(cards):
        wanted += 1 if greedy_wants(world, world[hand + at] % RANKS) else 0
    if not wanted:
        return surprised(1 / cards, cards)
    first = 1 if greedy_wants(world, world[hand] % RANKS) else 0
    return surprised(first / wanted, cards)


@inner
def surprised(likely: float, cards: int) -> float:
    return models.SURPRISE / cards + (1 - models.SURPRISE) * likely
