"""The rule of ``gambler`` on the fast world: how a search plays on for both seats.

A test compares the two in every position of random matches; the kernel plays the same rule.
"""

from typing import Final

from cardroom.rules.pazaak.bots.chances import worth
from cardroom.rules.pazaak.bots.gambler import GOOD
from cardroom.rules.pazaak.bots.world import (
    AMOUNTS,
    DRAW,
    END,
    KIND,
    PLAY,
    STAND,
    START,
    TIEBREAKER,
    VALUE,
    WAY_COUNTS,
    PazaakWorld,
    card_to_play,
    cards_to_play,
    changed_by,
    has_tie,
    leader,
)
from cardroom.rules.pazaak.predicates import PLACES, TARGET
from cardroom.rules.pazaak.side_cards import CODES

COST: Final = tuple(worth(code) for code in CODES)
NO_CARD: Final = -1
NO_TOTAL: Final = -99
FAR: Final = 1 << 30


def choice(world: PazaakWorld) -> tuple[int, int]:
    """What the seat to play does: a card and what it counts, or ``DRAW``, ``STAND``, ``END``."""
    if world.phase == PLAY:
        card, amount = pick(world)
        if card >= 0:
            return card, amount
        if not world.at_end:
            return END, 0
    if is_content(world):
        return STAND, 0
    return (DRAW if world.phase == START else END), 0


def is_content(world: PazaakWorld) -> bool:
    """Whether to stand on what lies there."""
    seat = world.turn
    total, rivals = world.total[seat], world.total[1 - seat]
    if total >= TARGET:
        return total == TARGET
    if world.standing[1 - seat]:
        return leader(world) == seat or (total == rivals and total >= GOOD)
    return total >= GOOD


def pick(world: PazaakWorld) -> tuple[int, int]:
    """The card to play after the draw and what it counts, or ``NO_CARD``."""
    seat = world.turn
    total = world.total[seat]
    if total > TARGET:
        return mend(world)
    if total == TARGET or world.board_size[seat] == PLACES:
        return NO_CARD, 0
    card, amount = cheapest(world, TARGET, NO_TOTAL)
    if card >= 0 or not world.standing[1 - seat] or leader(world) == seat:
        return card, amount
    rivals = world.total[1 - seat]
    return cheapest(world, rivals + 1, NO_TOTAL if has_tie(world, 1 - seat) else rivals)


def cheapest(world: PazaakWorld, least: int, tie: int) -> tuple[int, int]:
    """The cheapest card that makes ``least`` to 20, or that breaks a tie at ``tie``.

    Of several the one with the lowest total, then the first of the catalogue.
    """
    seat, best, best_amount, lowest = world.turn, NO_CARD, 0, FAR
    total = world.total[seat]
    for at in range(cards_to_play(world, seat)):
        card = card_to_play(world, seat, at)
        for way in range(WAY_COUNTS[card]):
            amount = AMOUNTS[card][way] if KIND[card] == VALUE else changed_by(world, card)
            after = total + amount
            if least <= after <= TARGET or (after == tie and breaks_ties(world, card)):
                rank = (COST[card] * 1000 + after) * 100 + card
                if rank < lowest:
                    best, best_amount, lowest = card, amount, rank
    return best, best_amount


def breaks_ties(world: PazaakWorld, card: int) -> bool:
    """Whether there is a tiebreaker that counts once this card is played (R22)."""
    if card == TIEBREAKER:
        return True
    if world.tie_anywhere:
        return world.ties[world.turn] > 0
    return KIND[card] != VALUE and not world.slots and world.newest_tie[world.turn] > 0


def mend(world: PazaakWorld) -> tuple[int, int]:
    """The card that undoes a bust and leaves the highest total, the cheapest of several."""
    seat, best, best_amount, highest = world.turn, NO_CARD, 0, -FAR
    full = world.board_size[seat] == PLACES
    for at in range(cards_to_play(world, seat)):
        card = card_to_play(world, seat, at)
        if full and (world.slots or KIND[card] == VALUE):  # R14
            continue
        for way in range(WAY_COUNTS[card]):
            amount = AMOUNTS[card][way] if KIND[card] == VALUE else changed_by(world, card)
            after = world.total[seat] + amount
            rank = (after * 100 - COST[card]) * 100 - card
            if after <= TARGET and rank > highest:
                best, best_amount, highest = card, amount, rank
    return best, best_amount
