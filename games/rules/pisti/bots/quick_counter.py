"""The counter's judgement on the fast world: how a search plays on for every seat.

Each seat weighs with what it could know itself: the open cards, its own hand, and which ranks the
next seat let lie.
"""

from typing import Final

from games.rules.cards import JACK
from games.rules.pisti.bots.chances import holds
from games.rules.pisti.bots.world import POINTS, RANKS_OF, World
from games.rules.pisti.predicates import PACK

TEMPO: Final = 2.0  # to leave the other side an empty table
KEPT_JACK: Final = 1.0  # a jack still in hand, for a fatter pile
JACK_PILE: Final = 3.0  # the pile for which every other player spends a jack
MAJORITY_OVER: Final = 18  # each card takes this part of the majority's points

# HOLDS[hand size][count][unseen]: the chance that a hand holds one of so many of the unseen cards
HOLDS: Final = [
    [[holds(count, unseen, size) for unseen in range(len(PACK) + 1)] for count in range(5)]
    for size in range(5)
]


def pick(world: World) -> int:
    """The card that the seat to play puts down."""
    hand = world.hands[world.turn]
    if len(hand) == 1:
        return hand[0]
    worths = weigh(world)
    return hand[worths.index(max(worths))]


def weigh(world: World) -> list[float]:
    """What each card of the seat to play is worth."""
    seat, players = world.turn, world.players
    hand = world.hands[seat]
    seen, top, size = world.seen, world.top, world.pile_size
    mine = [RANKS_OF[card] for card in hand]
    after = seat + 1 if seat + 1 < players else 0
    refused = world.refused[after]
    unseen = 52 - sum(seen) - len(hand)
    has = HOLDS[len(world.hands[after])]
    share = world.majority / MAJORITY_OVER
    pile = world.pile_points + share * size
    jacks = mine.count(JACK)
    jack_there = 0.0 if refused >> JACK & 1 else has[4 - seen[JACK] - jacks][unseen]
    plain = max(1, unseen - 4 + seen[JACK] + jacks)
    matching = [0 if rank == JACK else 4 - seen[rank] - mine.count(rank) for rank in mine]
    worths = []
    for at, card in enumerate(hand):
        rank = mine[at]
        kept = jacks - (rank == JACK)
        if players == 2:
            matches = min(1.0, (sum(matching) - matching[at]) / plain)
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
            by_rank = 0.0 if refused >> rank & 1 else has[4 - seen[rank] - mine.count(rank)][unseen]
            by_jack = 0.0
            if rank != JACK:
                by_jack = (1 - by_rank) * jack_there * lying / (lying + JACK_PILE)
            bait = 0 if size else (world.double if rank == JACK else world.single)
            lost = by_rank * (lying + value + bait + TEMPO) + by_jack * (lying + 1 + share + TEMPO)
            left = (1 - by_rank - by_jack) * (lying + share + TEMPO)
            worth = KEPT_JACK * kept + sign * takes * left - lost
        worths.append(worth)
    return worths


def play_block(world: World) -> None:
    """Every seat plays its hand out."""
    put, hands = world.put, world.hands
    while hands[world.turn]:
        put(pick(world))
