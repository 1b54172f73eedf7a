"""The rule of ``gambler``: how it plays, and how a search or a kernel plays on for both seats.

How the professor's chances come true among players of its own strength.

Its tables were learned against weaker players, too, so they promise too much, the more so the more
of the match is to come. ``make calibration CALIBRATION="--fit pazaak"`` prints these numbers.

``gambler``: the six-step rule of the cantina, a step a function, the first that answers counts.

Stand on 20; undo a bust; take 20 when one card makes it; beat a standing rival as cheaply as
possible; stand on 18; else draw on. It does not stand on 17 while the rival draws on: with that
it wins 41 of 100 matches against this rule.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.pazaak.bots.outlook import name_of, position_of, within_reach, worth
from cardroom.rules.pazaak.bots.world import (
    AMOUNTS,
    CHOICES,
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
    fits,
    has_tie,
    leader,
)
from cardroom.rules.pazaak.predicates import PLACES, TARGET
from cardroom.rules.pazaak.side_cards import CODES
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.state_fields import Line, Reading
from cardroom.rules.values import Event, Move, Seat


def stage(view: PazaakView) -> str:
    me = view.to_act[0]
    return stage_of(within_reach(position_of(view, me)), me)


def stage_of(world: PazaakWorld, me: Seat) -> str:
    """The table that is looked up, and how many rounds the seat and its rival still need."""
    mine, theirs = (world.to_win - world.wins[seat] for seat in (me, 1 - me))
    return f"{name_of(world)} {mine} {theirs}"


READING: Final[Reading[PazaakView]] = Reading(
    stage,
    {
        "classic 1 1": Line(-0.28, 1.27),
        "classic 1 2": Line(-0.28, 1.09),
        "classic 2 1": Line(-0.8, 1.1),
        "classic 2 2": Line(-0.74, 1.18),
        "kotor1 1 1": Line(-0.11, 1.04),
        "kotor1 1 2": Line(-0.11, 1.09),
        "kotor1 1 3": Line(-0.2, 1.07),
        "kotor1 2 1": Line(0.0, 1.17),
        "kotor1 2 2": Line(-0.12, 1.09),
        "kotor1 2 3": Line(-0.28, 1.05),
        "kotor1 3 1": Line(-0.1, 1.06),
        "kotor1 3 2": Line(-0.09, 1.07),
        "kotor1 3 3": Line(-0.18, 1.06),
        "kotor2 1 1": Line(-0.05, 0.98),
        "kotor2 1 2": Line(-0.3, 1.1),
        "kotor2 1 3": Line(-0.2, 0.94),
        "kotor2 2 1": Line(-0.05, 1.1),
        "kotor2 2 2": Line(-0.13, 0.97),
        "kotor2 2 3": Line(-0.18, 1.0),
        "kotor2 3 1": Line(0.2, 1.09),
        "kotor2 3 2": Line(-0.15, 1.07),
        "kotor2 3 3": Line(-0.24, 1.08),
    },
)

GOOD: Final = 18


def choose_gambler(view: PazaakView, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    return move_of(view, *choice(position_of(view, view.to_act[0])))


def move_of(view: PazaakView, card: int, amount: int) -> Move:
    """A choice in the world as the legal move that it is."""
    chosen = (card, 0 if card >= 0 and KIND[card] != VALUE else amount)
    return next(move for move in view.legal_moves if CHOICES[move] == chosen)


GAMBLER: Final[Bot[PazaakView]] = Bot(
    slug="gambler",
    name="Gambler",
    summary="Takes 20 when a card makes it, undoes busts, beats a standing rival cheaply.",
    level=3,
    choose=choose_gambler,
)

COST: Final = tuple(worth(code) for code in CODES)
NO_CARD: Final = -1
NO_TOTAL: Final = -99
FAR: Final = 1 << 30


def choice(world: PazaakWorld) -> tuple[int, int]:
    """The choice of the seat to play: a card and its value, or ``DRAW``, ``STAND``, ``END``."""
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
        return mend(world, 1)
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


def mend(world: PazaakWorld, thrifty: int) -> tuple[int, int]:
    """The card that undoes a bust and leaves the highest total, of several the cheapest if it is
    ``thrifty``, then the first of the catalogue."""
    seat, best, best_amount, highest = world.turn, NO_CARD, 0, -FAR
    for at in range(cards_to_play(world, seat)):
        card = card_to_play(world, seat, at)
        for way in range(WAY_COUNTS[card] if fits(world, card) else 0):
            amount = AMOUNTS[card][way] if KIND[card] == VALUE else changed_by(world, card)
            after = world.total[seat] + amount
            rank = (after * 100 - thrifty * COST[card]) * 100 - card
            if after <= TARGET and rank > highest:
                best, best_amount, highest = card, amount, rank
    return best, best_amount
