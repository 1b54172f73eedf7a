"""The counter's judgement on the fast world: how a search plays on for every seat.

Each seat weighs with what it could know itself: the open cards, its own hand, and which ranks the
next seat let lie.
"""

from typing import Final

from cardroom.rules.cards import JACK
from cardroom.rules.pisti.bots.simple import holds
from cardroom.rules.pisti.bots.world import HAND, POINTS, RANKS, RANKS_OF, PistiWorld
from cardroom.rules.pisti.predicates import PACK
from cardroom.rules.search import lowest_bit

TEMPO: Final = 2.0  # to leave the other side an empty table
KEPT_JACK: Final = 1.0  # a jack still in hand, for a fatter pile
JACK_PILE: Final = 3.0  # the pile for which every other player spends a jack
MAJORITY_OVER: Final = 18  # each card takes this part of the majority's points

# HOLDS[hand size][count][unseen]: the chance that a hand holds one of so many of the unseen cards
HOLDS: Final = [
    [[holds(count, unseen, size) for unseen in range(len(PACK) + 1)] for count in range(5)]
    for size in range(HAND + 1)
]


def counters_place(world: PistiWorld) -> int:
    """The place in its hand of the card that the seat to play puts down."""
    cards, best = world.sizes[world.turn], 0
    if cards == 1:
        return 0
    judge(world)
    for at in range(1, cards):
        if world.worths[at] > world.worths[best]:
            best = at
    return best


def judge(world: PistiWorld) -> None:
    """Write the worth of each card of the seat to play, by the counter, to ``world.worths``."""
    if world.exact:
        weigh_exactly(world)
    else:
        weigh(world)


def weigh(world: PistiWorld) -> None:
    """In short: what the seat after next can take, and what was let lie, is only about right."""
    seat, players = world.turn, world.players
    hand, cards, seen = world.hands[seat], world.sizes[seat], world.seen
    top, size = world.top, world.pile_size
    after = seat + 1 if seat + 1 < players else 0
    refused = world.refused[after]
    has = HOLDS[world.sizes[after]]
    unseen = count_unseen(world)
    share = world.majority / MAJORITY_OVER
    pile = world.pile_points + share * size
    jacks, matching = 0, 0
    for at in range(cards):
        rank = RANKS_OF[hand[at]]
        world.alike[at] = 4 - seen[rank] - held(hand, cards, rank)
        if rank == JACK:
            jacks += 1
        else:
            matching += world.alike[at]
    jack_there = 0.0 if refused >> JACK & 1 else has[4 - seen[JACK] - jacks][unseen]
    plain = max(1, unseen - 4 + seen[JACK] + jacks)
    for at in range(cards):
        card = hand[at]
        rank = RANKS_OF[card]
        still = world.alike[at]
        kept = jacks - 1 if rank == JACK else jacks
        if players == 2:
            matches = min(1.0, (matching - (0 if rank == JACK else still)) / plain)
            takes = 1.0 if kept else matches
            sign = 1.0
        else:
            matches = min(1.0, 12 / plain)
            takes = matches + jack_there
            sign = 1.0 if world.sides == 2 else -1 / (world.sides - 1)
        value = POINTS[card] + share
        if size and rank in (top, JACK):
            worth = pile + value + KEPT_JACK * kept + sign * matches * world.single
            if size == 1 and rank == top:
                worth += world.double if rank == JACK else world.single
        else:
            lying = pile + value
            by_rank = 0.0 if refused >> rank & 1 else has[still][unseen]
            by_jack = 0.0
            if rank != JACK:
                by_jack = (1 - by_rank) * jack_there * lying / (lying + JACK_PILE)
            bait = 0
            if not size:
                bait = world.double if rank == JACK else world.single
            lost = by_rank * (lying + value + bait + TEMPO) + by_jack * (lying + 1 + share + TEMPO)
            left = (1 - by_rank - by_jack) * (lying + share + TEMPO)
            worth = KEPT_JACK * kept + sign * takes * left - lost
        world.worths[at] = worth


def count_unseen(world: PistiWorld) -> int:
    """How many cards the seat to play has not seen."""
    return len(PACK) - world.sizes[world.turn] - sum(world.seen)


def held(hand: list[int], cards: int, rank: int) -> int:
    """How many of the first cards of a hand have this rank."""
    count = 0
    for at in range(cards):
        if RANKS_OF[hand[at]] == rank:
            count += 1
    return count


def weigh_exactly(world: PistiWorld) -> None:
    """As ``counter.PlayEvaluator``, but for cards that nobody has seen in the pile."""
    seat, players = world.turn, world.players
    hand, cards, seen = world.hands[seat], world.sizes[seat], world.seen
    top, size = world.top, world.pile_size
    after = seat + 1 if seat + 1 < players else 0
    third = after + 1 if after + 1 < players else 0
    refused = world.refused[after]
    share = world.majority / MAJORITY_OVER
    pile = world.pile_points + share * size
    jacks, matching, once, more = 0, 0, 0, 0
    for at in range(cards):
        bit = 1 << RANKS_OF[hand[at]]
        more |= once & bit
        once |= bit
    for at in range(cards):
        rank = RANKS_OF[hand[at]]
        bit = 1 << rank
        copies = held(hand, cards, rank) if more & bit else 1
        world.alike[at] = 4 - seen[rank] - copies
        if rank == JACK:
            jacks += 1
        elif once & bit:
            matching += world.alike[at]
            once &= ~bit
    unseen = count_unseen(world)
    unseen_jacks = 4 - seen[JACK] - jacks
    total = max(1, unseen - unseen_jacks)
    possible = unseen - unseen_of_ranks(world, refused)
    has = HOLDS[world.sizes[after]]
    jack_there = 0.0 if refused >> JACK & 1 else has[unseen_jacks][possible]
    rival = 1 / (world.sides - 1)
    sign = 1.0 if third % world.sides == seat % world.sides else -rival
    tempo = TEMPO if world.sides == 2 else 0.0
    matches, has_jack = 0.0, 0.0
    if players > 2:
        matches, has_jack = other_takes(world, third, unseen)
        matches /= total
    for at in range(cards):
        card = hand[at]
        rank = RANKS_OF[card]
        still = world.alike[at]
        kept = jacks - 1 if rank == JACK else jacks
        if players == 2:
            gone = 0 if rank == JACK or more >> rank & 1 else still
            has_jack = 1.0 if kept else 0.0
            matches = (matching - gone) / total
        value = POINTS[card] + share
        bait = world.double if rank == JACK else world.single
        if size and rank in (top, JACK):
            bonus = bait if size == 1 and rank == top else 0
            worth = pile + value + bonus + sign * matches * world.single
        else:
            lying = pile + value
            by_rank = 0.0 if refused >> rank & 1 else has[still][possible]
            by_jack = 0.0
            if rank != JACK:
                by_jack = (1 - by_rank) * jack_there * lying / (lying + JACK_PILE)
            lost = by_rank * (lying + value + (0 if size else bait) + tempo)
            lost += by_jack * (lying + 1 + share + tempo)
            left = (1 - by_rank - by_jack) * (lying + share + tempo)
            worth = sign * (has_jack + (1 - has_jack) * matches) * left - rival * lost
        world.worths[at] = worth + KEPT_JACK * kept


def other_takes(world: PistiWorld, other: int, unseen: int) -> tuple[float, float]:
    """Of a card nobody has seen: how many a hand matches; and the chance that it has a jack."""
    let_lie, has = world.refused[other], HOLDS[world.sizes[other]]
    hand, cards, among = world.hands[world.turn], world.sizes[world.turn], unseen
    among -= unseen_of_ranks(world, let_lie)
    matches, has_jack = 0.0, 0.0
    for rank in range(RANKS):
        if not let_lie >> rank & 1:
            count = 4 - world.seen[rank] - held(hand, cards, rank)
            if rank == JACK:
                has_jack = has[count][among]
            matches += count * has[count][among]
    return matches, has_jack


def unseen_of_ranks(world: PistiWorld, ranks: int) -> int:
    """How many cards of these ranks, a bit each, the seat to play has not seen."""
    seat, count = world.turn, 0
    while ranks:
        rank = lowest_bit(ranks)
        count += 4 - world.seen[rank] - held(world.hands[seat], world.sizes[seat], rank)
        ranks &= ranks - 1
    return count
