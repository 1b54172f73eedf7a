"""One game of Shithead on counted ranks, changed in place: quick play for a bot that searches.

The same rules as ``turn`` and ``working_copy`` (a test plays both side by side), with hands as
counts of ranks (``rank_counts``), no suits, no events and no text.

Cards as counts of their ranks in one number, four bits a rank.

Suits never matter in Shithead, so a count for every rank is all a strategy weighs. The ranks stand
in the order in which ``keeper`` parts with them, so the rank to part with first is the lowest one
set.

The choices of a seat, each one number: a rank, how many cards of it, how many top cards with them
(R9).
"""

from collections.abc import Iterable
from functools import cache, partial
from random import Random
from typing import Annotated, Final

from cardroom.rules.cards import RANKS
from cardroom.rules.search import Flat, below, lowest_bit
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shithead.predicates import NOTHING, RANK_COUNT, allowed

PARTS_WITH: Final = "456789JQKA32XT"  # first to last
PLACE: Final[dict[str, int]] = {rank: place for place, rank in enumerate(PARTS_WITH)}
RANK_OF: Final[tuple[int, ...]] = tuple(RANKS.index(rank) for rank in PARTS_WITH)
FOUR, SEVEN, NINE, JACK, QUEEN, KING, ACE, THREE, TWO, JOKER, TEN = (
    PLACE[r] for r in "479JQKA32XT"
)
ANYTHING: Final = -1  # the rank to beat when any card may be played
ONE: Final = tuple(1 << 4 * place for place in range(RANK_COUNT))
ONES: Final = sum(ONE)  # one card of each rank
_PAIRS: Final = 0x0F0F0F0F0F0F0F


def counts_of(codes: Iterable[str]) -> int:
    return sum([ONE[PLACE[code[0]]] for code in codes])


def count(cards: int) -> int:
    """The number of cards."""
    return ((cards & _PAIRS) + (cards >> 4 & _PAIRS)) % 255


def first(cards: int) -> int:
    """The place of the rank that comes first; of nothing −1."""
    return lowest_bit(cards) >> 2


def masks(options: ShitheadOptions) -> tuple[int, ...]:
    """For each rank to beat (by place; the last one: none) the ranks that may be played (R11)."""
    return _masks(int(options.seven_lower), int(options.joker_top == "reset"))


@cache
def _masks(seven_lower: int, joker_reset: int) -> tuple[int, ...]:
    may = partial(allowed, seven_lower=seven_lower, joker_reset=joker_reset)
    return tuple(
        sum(15 << 4 * place for place, rank in enumerate(RANK_OF) if may(rank, t))
        for t in (*RANK_OF, NOTHING)
    )


SEATS: Final = 18
CARDS: Final = 54
EVERYBODY: Final = (1 << SEATS) - 1

BySeat = Annotated[list[int], SEATS]


class ShitheadWorld(Flat):
    """One game in play; lists have a place for each of 18 seats, of which the first ones are used.

    ``me`` is the seat that searches. ``masks`` has the ranks that may be played, by the rank to
    beat and last where there is none. ``through``: ``burn_through_threes``; ``again``: a joker
    gives another turn between two; ``three``: a hand is filled up to three cards.

    ``deck`` are the cards that nobody holds: the stock in its first ``stock_size`` places, then the
    hidden cards of each seat from ``first_hidden`` on. Both are taken from the end. Where hands are
    unknown their cards lie there too, behind the others.

    ``keepers`` are the seats that play as ``keeper``, as bits; the others play cunningly.

    ``t`` is the rank to beat (R11), ``run`` cards of rank ``last`` may become four of a kind: those
    on top of the pile, or below ``threes`` threes where they burn through threes. ``active`` seats
    are left, ``turn`` is the one to act, ``places`` has 0 for each of them.
    """

    players: int
    me: int
    keepers: int
    through: int
    transparent: int
    again: int
    three: int
    voluntary: int
    masks: Annotated[list[int], RANK_COUNT + 1]
    hands: BySeat
    tops: BySeat
    first_hidden: BySeat
    hidden: BySeat
    deck: Annotated[list[int], CARDS]
    stock_size: int
    places: BySeat
    active: int
    turn: int
    direction: int
    pile: int
    t: int
    last: int
    run: int
    threes: int


def empty_world(options: ShitheadOptions) -> ShitheadWorld:
    """Before anything is dealt."""
    world = ShitheadWorld()
    world.players = world.active = options.players
    world.keepers = EVERYBODY
    world.masks[:] = masks(options)
    world.through = int(options.burn_through_threes)
    world.transparent = int(options.joker_top == "transparent")
    world.again = int(options.two_player_joker == "again")
    world.three = int(options.refill == "up_to_three")
    world.voluntary = int(options.pickup == "voluntary")
    world.direction = 1
    clear(world)
    return world


def clear(world: ShitheadWorld) -> None:
    """The pile is gone."""
    world.pile = world.run = world.threes = 0
    world.t = world.last = ANYTHING


def pick_up(world: ShitheadWorld) -> None:
    world.hands[world.turn] += world.pile
    clear(world)
    end_turn(world, 0)


def turn_up(world: ShitheadWorld) -> None:
    """R10: the next hidden card of the seat; which slot it lies in makes no difference."""
    seat = world.turn
    world.hidden[seat] -= 1
    rank = world.deck[world.first_hidden[seat] + world.hidden[seat]]
    world.hands[seat] = ONE[rank]
    if ONE[rank] & world.masks[world.t]:
        play(world, rank, 1, 0)
    else:
        pick_up(world)


def play(world: ShitheadWorld, rank: int, cards: int, extra: int) -> None:
    """R12–R14: cards of the hand, or of the tops once it is used up, and ``extra`` tops with them
    (R9), onto the pile, with what follows.
    """
    seat, again = world.turn, 0
    if world.hands[seat]:
        world.hands[seat] -= cards << 4 * rank
        if extra:
            world.tops[seat] -= extra << 4 * rank
            cards += extra
    else:
        world.tops[seat] -= cards << 4 * rank
    run = stack(world, rank, cards)
    if rank == JOKER:
        if cards & 1:
            world.direction = -world.direction
            again = world.again if world.active == 2 else 0
        run += 2  # two jokers burn
    if run >= 4 or rank == TEN:
        clear(world)
        again = 1
    end_turn(world, again)


def stack(world: ShitheadWorld, rank: int, cards: int) -> int:
    """Cards of one rank onto the pile and nothing else; the run that counts for R13."""
    world.pile += cards << 4 * rank
    if rank == THREE:
        if world.through:
            world.threes += cards
            return world.threes
    elif rank != JOKER or not world.transparent:
        world.t = rank
    world.threes = 0
    if rank == world.last:
        cards += world.run
    world.last, world.run = rank, cards
    return cards


def end_turn(world: ShitheadWorld, again: int) -> None:
    """R15 to R18, from the draw on: the next seat is one that is in the game."""
    seat = world.turn
    if world.stock_size:
        draw(world)
    if not (world.hands[seat] or world.tops[seat] or world.hidden[seat]):
        world.active -= 1
        world.places[seat] = world.players - world.active
    elif again:
        return
    if world.active > 1:
        world.turn = next_seat(world)


def next_seat(world: ShitheadWorld) -> int:
    """R17: the next one in the game after the seat to act; there must be one."""
    seat = world.turn + world.direction
    while True:
        if seat == world.players:
            seat = 0
        elif seat < 0:
            seat = world.players - 1
        if not world.places[seat]:
            return seat
        seat += world.direction


def draw(world: ShitheadWorld) -> None:
    """R16."""
    seat = world.turn
    wanted = 3 - count(world.hands[seat]) if world.three else 1
    while wanted > 0 and world.stock_size:
        world.stock_size -= 1
        world.hands[seat] += ONE[world.deck[world.stock_size]]
        wanted -= 1


def is_over(world: ShitheadWorld) -> bool:
    """Whether it is settled for the seat that searches how the game ends."""
    return world.active == 1 or world.places[world.me] > 0


def holds_most(world: ShitheadWorld, seat: int) -> bool:
    """R19: whether the seat would be the shed, or share it, if the game stopped here."""
    most = 0
    for other in range(world.players):
        most = max(most, cards_of(world, other))
    return cards_of(world, seat) == most


def cards_of(world: ShitheadWorld, seat: int) -> int:
    return count(world.hands[seat]) + count(world.tops[seat]) + world.hidden[seat]


PICK_UP: Final = 0
MOST: Final = 55  # choices of a hand


def choice(rank: int, cards: int, extra: int) -> int:
    """``cards`` is at least 1."""
    return extra << 8 | cards << 4 | rank


def make(world: ShitheadWorld, chosen: int) -> None:
    if chosen == PICK_UP:
        pick_up(world)
    else:
        play(world, chosen & 15, chosen >> 4 & 15, chosen >> 8)


def legal(world: ShitheadWorld, choices: list[int]) -> int:
    """Write the choices of the seat to play from its hand or tops (R7–R9); return their number."""
    hand, top = world.hands[world.turn], world.tops[world.turn]
    may = (hand or top) & world.masks[world.t]
    size, left = 0, may
    while left:
        rank = first(left)
        cards = left >> 4 * rank & 15
        left -= cards << 4 * rank
        for some in range(1, cards + 1):
            choices[size] = choice(rank, some, 0)
            size += 1
        if hand == cards << 4 * rank:
            for extra in range(1, 1 + (top >> 4 * rank & 15)):
                choices[size] = choice(rank, cards, extra)
                size += 1
    if world.pile and (not may or world.voluntary):
        choices[size] = PICK_UP
        size += 1
    return size


def play_any(rng: Random, world: ShitheadWorld, choices: list[int]) -> None:
    """A turn at random; ``choices`` is room for them."""
    if world.hands[world.turn] or world.tops[world.turn]:
        make(world, choices[below(rng, legal(world, choices))])
    else:
        turn_up(world)
