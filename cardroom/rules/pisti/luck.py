"""What the cards of a block are worth: the hands as dealt against hands that could have been.

Each deal is played to the end of its block by models of the players who know their own hand alone
(``bots.models``), and then valued (``bots.outlook``). This is a guess of how the match will go on,
and quick: no bot is asked. The functions are those of a search, so a compiled form finds the same.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from cardroom.rules.cards import JACK
from cardroom.rules.flat import copy_into, shuffle
from cardroom.rules.pisti.bots.models import models_place
from cardroom.rules.pisti.bots.outlook import chance_to_win
from cardroom.rules.pisti.bots.world import (
    EMPTY,
    HAND,
    POINTS,
    RANKS_OF,
    SEATS,
    PistiWorld,
    empty_world,
    finish,
    give,
    put,
)
from cardroom.rules.pisti.deal import CENTRE_SIZE
from cardroom.rules.pisti.predicates import PACK, PLAYS_PER_DEAL, card_points
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.values import Move, Seat

OTHERS: Final = 48  # deals that could have been
PLAY_THE_TABLE: Final = frozenset({"random", "beginner", "greedy"})  # they do not count cards

# (rng, how many others, the world as dealt and room for two more, its cards, whether the centre is
# dealt as well, sums): adds what each side's chance was and, behind these, its mean over others
Compare = Callable[[Random, int, list[PistiWorld], list[int], int, list[float]], None]


def compare_deals(
    rng: Random,
    others: int,
    worlds: list[PistiWorld],
    lot: list[int],
    centre: int,
    sums: list[float],
) -> None:
    """``worlds`` are the one as dealt and a room; ``lot`` is every card that could have come."""
    copy_into(worlds, 1, worlds[0])
    play_block(worlds[1])
    for side in range(worlds[1].sides):
        sums[side] += chance_to_win(worlds[1], side)
    for _ in range(others):
        copy_into(worlds, 1, worlds[0])
        deal_anew(rng, worlds[1], lot, centre)
        play_block(worlds[1])
        for side in range(worlds[1].sides):
            sums[SEATS + side] += chance_to_win(worlds[1], side) / others


def deal_anew(rng: Random, world: PistiWorld, lot: list[int], centre: int) -> None:
    top = 0
    while top == 0:
        shuffle(rng, lot, len(lot))
        top = CENTRE_SIZE
        if centre:  # R7, R8: the top is no jack
            while top > 0 and RANKS_OF[lot[top - 1]] == JACK:
                top -= 1
    at = 0
    if centre:
        world.seen[world.top] -= 1
        world.top = RANKS_OF[lot[top - 1]]
        world.seen[world.top] += 1
        world.pile_points = 0
        for at in range(CENTRE_SIZE):
            world.pile_points += POINTS[lot[at]]
        at = CENTRE_SIZE
    for seat in range(world.players):
        for nth in range(HAND):
            world.hands[seat][nth] = lot[at]
            at += 1


def play_block(world: PistiWorld) -> None:
    while world.sizes[world.turn]:
        put(world, models_place(world))
    if world.plays == PLAYS_PER_DEAL:
        finish(world)


def added(
    before: PistiState | None,
    after: PistiState,
    _seat: Seat,
    _move: Move,
    bots: Sequence[str],
    rng: Random,
    compare: Compare | None = None,
) -> Sequence[float] | None:
    """``compare`` is the compiled form."""
    sides = len(after.totals)
    if after.options.bottom_card == "exposed":  # it was taken out of what is dealt (R9)
        return None
    if after.over:
        return [0.0] * sides
    is_new = before is None or before.deal_no != after.deal_no
    dealt = [card for hand in after.hands for card in hand]
    lot = list(PACK) if is_new else sorted([*after.stock, *dealt])
    sums = [0.0] * (2 * SEATS)
    worlds = [laid_out(after, bots), PistiWorld()]
    (compare or compare_deals)(rng, OTHERS, worlds, lot, int(is_new), sums)
    return [sums[side] - sums[SEATS + side] for side in range(sides)]


def laid_out(state: PistiState, bots: Sequence[str]) -> PistiWorld:
    """The world with every hand in it; what lies in heaps counts as seen by all."""
    world = empty_world(state.options)
    pile = state.pile
    for seat, hand in enumerate(state.hands):
        give(world, seat, list(hand))
        world.counts[seat] = int(bots[seat].split(":")[0] not in PLAY_THE_TABLE)
        heap, side = state.heaps[seat], seat % world.sides
        world.cards[side] += heap.bit_count()
        world.points[side] += card_points(heap)
    taken = sum(state.heaps)
    for card in PACK:
        world.seen[RANKS_OF[card]] += taken >> card & 1
    for card in pile[state.face_down :]:
        world.seen[RANKS_OF[card]] += 1
    world.pile_size, world.pile_points = len(pile), sum([POINTS[card] for card in pile])
    world.top = RANKS_OF[pile[-1]] if pile else EMPTY
    for side, (pistis, doubles) in enumerate(zip(state.pistis, state.doubles, strict=True)):
        world.bonus[side] = pistis * world.single + doubles * world.double
    world.totals[: world.sides] = state.totals
    world.turn, world.plays = state.to_play, state.plays_made
    world.last = -1 if state.last_capturer is None else state.last_capturer
    return world
