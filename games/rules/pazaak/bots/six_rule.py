"""The rule of ``gambler`` on the fast world: how a search plays on for both seats.

A test compares the two in every position of random matches; the kernel plays the same rule.
"""

from collections.abc import Sequence
from typing import Final

from games.rules.pazaak.bots.chances import worth
from games.rules.pazaak.bots.gambler import FAIR, GOOD
from games.rules.pazaak.bots.world import (
    AMOUNTS,
    FLIP,
    FLIPS,
    KIND,
    OVER,
    PLAY,
    START,
    TIEBREAKER,
    VALUE,
    World,
)
from games.rules.pazaak.predicates import PLACES, TARGET
from games.rules.pazaak.side_cards import CODES

COST: Final = tuple(worth(code) for code in CODES)
NOTHING: Final = (-1, 0)
NO_TOTAL: Final = -99


def play_out(world: World) -> None:
    """Both seats play by the rule until the world is over."""
    while True:
        phase = world.phase
        if phase == START:
            if is_content(world):
                world.stand()
            else:
                world.draw()
        elif phase == OVER:
            return
        elif phase == PLAY:
            card, amount = pick(world)
            if card >= 0:
                world.lay(card, amount)
            elif world.at_end and is_content(world):
                world.stand()
            else:
                world.close()
        elif is_content(world):
            world.stand()
        else:
            world.close()


def is_content(world: World) -> bool:
    """Whether to stand on what lies there."""
    seat = world.turn
    total = world.total[seat]
    if total >= TARGET:
        return total == TARGET
    if world.standing[1 - seat]:
        return world.leader() == seat or (total == world.total[1 - seat] and total >= GOOD)
    return total >= GOOD or (total == FAIR and world.total[1 - seat] < FAIR)


def pick(world: World) -> tuple[int, int]:
    """The card to play after the draw and what it counts, or ``NOTHING``."""
    seat = world.turn
    total = world.total[seat]
    cards = world.cards(seat)
    if total == TARGET or not cards:
        return NOTHING
    if total > TARGET:
        return _mend(world, cards)
    if len(world.board[seat]) == PLACES:
        return NOTHING
    found = _cheapest(world, cards, TARGET, NO_TOTAL)
    if found[0] >= 0 or not world.standing[1 - seat] or world.leader() == seat:
        return found
    rivals = world.total[1 - seat]
    has_tie = world.ties if world.tie_anywhere else world.newest_tie
    return _cheapest(world, cards, rivals + 1, NO_TOTAL if has_tie[1 - seat] else rivals)


def _cheapest(world: World, cards: Sequence[int], least: int, tie: int) -> tuple[int, int]:
    """The cheapest card that makes ``least`` to 20, or that breaks a tie at ``tie``.

    Of several the one with the lowest total, then the first of the catalogue.
    """
    total = world.total[world.turn]
    best, rank = NOTHING, (99, 0, 0)
    for card in cards:
        cost = COST[card]
        if cost > rank[0]:
            continue
        for amount in AMOUNTS[card] if KIND[card] == VALUE else (changed_by(world, card),):
            after = total + amount
            fits = least <= after <= TARGET or (after == tie and _breaks_ties(world, card))
            if fits and (cost, after, card) < rank:
                best, rank = (card, amount), (cost, after, card)
    return best


def _breaks_ties(world: World, card: int) -> bool:
    """Whether there is a tiebreaker that counts once this card is played (R22)."""
    if card == TIEBREAKER:
        return True
    if world.tie_anywhere:
        return world.ties[world.turn]
    return KIND[card] != VALUE and not world.slots and world.newest_tie[world.turn]


def _mend(world: World, cards: Sequence[int]) -> tuple[int, int]:
    """The card that undoes a bust and leaves the highest total, the cheapest of several."""
    seat = world.turn
    total, full = world.total[seat], len(world.board[seat]) == PLACES
    best, rank = NOTHING, (NO_TOTAL, 0, 0)
    for card in cards:
        if full and (world.slots or KIND[card] == VALUE):  # R14
            continue
        for amount in AMOUNTS[card] if KIND[card] == VALUE else (changed_by(world, card),):
            after = total + amount
            if rank[0] <= after <= TARGET and (after, -COST[card], -card) > rank:
                best, rank = (card, amount), (after, -COST[card], -card)
    return best


def changed_by(world: World, card: int) -> int:
    """What a flip or a double adds to the total."""
    board = world.board[world.turn]
    if KIND[card] != FLIP:
        return board[-1]
    low, high = FLIPS[card]
    return -2 * sum([value for value in board if value in (low, high, -low, -high)])
