"""The six-rule heuristic on the fast world: how a search plays on for both seats.

Stand on 20; undo a bust; take 20 when a card makes it; beat a standing rival as cheaply as
possible; stand on 18, or on 17 with the rival lower; else draw on.
"""

from collections.abc import Sequence
from typing import Final

from games.rules.pazaak.bots.chances import worth
from games.rules.pazaak.bots.world import (
    AMOUNTS,
    FLIP,
    FLIPS,
    KIND,
    LONGEST,
    OVER,
    PLAY,
    START,
    TIEBREAKER,
    VALUE,
    World,
)
from games.rules.pazaak.predicates import PLACES, TARGET
from games.rules.pazaak.side_cards import CODES

GOOD: Final = 18
FAIR: Final = 17
COST: Final = tuple(worth(code) for code in CODES)
NOTHING: Final = (-1, 0)
NO_TIE: Final = -99


def play_out(world: World, last: int = LONGEST) -> None:
    """Both seats play by the six rules to the end of the match or of round ``last``."""
    while world.round_no <= last:
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
        leader = world.leader()
        return leader == seat or (leader < 0 and total >= GOOD)
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
    if not world.standing[1 - seat]:
        return _cheapest(world, cards, TARGET, NO_TIE)
    if world.leader() == seat:
        return NOTHING
    rivals = world.total[1 - seat]
    has_tie = world.ties if world.tie_anywhere else world.newest_tie
    return _cheapest(world, cards, rivals + 1, NO_TIE if has_tie[1 - seat] else rivals)


def _cheapest(world: World, cards: Sequence[int], least: int, tie: int) -> tuple[int, int]:
    """The cheapest card that makes ``least`` to 20, or that breaks a tie at ``tie``."""
    seat = world.turn
    total = world.total[seat]
    best, cost = NOTHING, 99
    for card in cards:
        if COST[card] >= cost:
            continue
        for amount in AMOUNTS[card] if KIND[card] == VALUE else (changed_by(world, card),):
            after = total + amount
            if least <= after <= TARGET or (after == tie and card == TIEBREAKER):
                best, cost = (card, amount), COST[card]
                break
    return best


def _mend(world: World, cards: Sequence[int]) -> tuple[int, int]:
    """The card that undoes a bust and leaves the highest total, the cheapest of several."""
    seat = world.turn
    total, full = world.total[seat], len(world.board[seat]) == PLACES
    best, highest, cost = NOTHING, -99, 99
    for card in cards:
        if full and (world.slots or KIND[card] == VALUE):  # R14
            continue
        for amount in AMOUNTS[card] if KIND[card] == VALUE else (changed_by(world, card),):
            after = total + amount
            if after <= TARGET and (after, -COST[card]) > (highest, -cost):
                best, highest, cost = (card, amount), after, COST[card]
    return best


def changed_by(world: World, card: int) -> int:
    """What a flip or a double adds to the total."""
    board = world.board[world.turn]
    if KIND[card] != FLIP:
        return board[-1]
    low, high = FLIPS[card]
    return -2 * sum([value for value in board if value in (low, high, -low, -high)])
