"""``lowest``: the lowest rank that may be played, all cards of it; never swaps.

How the searchers' chances come true among players like ``keeper``.

``make calibration CALIBRATION="--fit shithead"`` prints these numbers.

How bots escape from a game that repeats itself.

Two bots that always choose alike can give each other the same joker for ever, and with
``max_turns`` off nothing would end that. After many turns a bot now and then plays any legal move.

``keeper``: parts with low cards first and keeps twos, threes, jokers and tens for need.

Completes fours, plays all cards of a rank together but holds on to kings, aces and wild cards by
playing one at a time, and lays its best cards open in the exchange, where they are safe until the
hand is used up.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from cardroom.rules.bot import Bot
from cardroom.rules.cards import CARD
from cardroom.rules.search import lowest_bit
from cardroom.rules.shithead.bots.world import (
    ANYTHING,
    KING,
    PLACE,
    ShitheadWorld,
    counts_of,
    masks,
    pick_up,
    play,
    turn_up,
)
from cardroom.rules.shithead.predicates import PICKUP, READY, SWAP, run_on_top
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.state_fields import Line, Reading
from cardroom.rules.values import Event, Move

MANY: Final = 3


def stage(view: ShitheadView) -> str:
    """Two or more seats left, in the exchange or in play."""
    left = "many" if view.places.count(0) >= MANY else "two"
    return f"{left} {'exchange' if view.phase == 'exchange' else 'play'}"


READING: Final[Reading[ShitheadView]] = Reading(
    stage,
    {
        "many exchange": Line(0.43, 0.79),
        "many play": Line(0.03, 1.0),
        "two exchange": Line(-0.16, 0.35),
        "two play": Line(0.03, 0.94),
    },
)

PATIENCE: Final = 400  # turns; a game between four keepers takes about 110
WHIM: Final = 1 / 8


def escapes_repetition(view: ShitheadView, rng: Random) -> bool:
    """Whether to play any legal move this time."""
    return view.turns >= PATIENCE and rng.random() < WHIM


def choose_lowest(view: ShitheadView, _events: Sequence[Event], rng: Random) -> Move:
    """Legal moves are listed by rank, so the lowest rank's full set ends the first run of it."""
    first = view.legal_moves[0]
    if view.phase == "exchange" or first.startswith(("blind", "pickup")):
        return first
    if escapes_repetition(view, rng):
        return rng.choice(view.legal_moves)
    return [move for move in view.legal_moves if move[0] == first[0]][-1]


LOWEST: Final[Bot[ShitheadView]] = Bot(
    slug="lowest",
    name="Lowest",
    summary="Plays all cards of the lowest rank it may play, and never swaps.",
    level=1,
    choose=choose_lowest,
    suggested=False,
)


def decide(may: int, hand: int, top: int, last: int, run: int) -> tuple[int, int, int]:
    """A choice: the rank, how many cards of it, how many top cards with them (R9).

    ``may`` are the cards of hand (or tops) that may be played, at least one; fewer than four cards,
    ``run`` of rank ``last``, may become four of a kind.
    """
    if run and run + (may >> 4 * last & 15) >= 4:
        return last, may >> 4 * last & 15, 0
    rank = lowest_bit(may) >> 2
    if rank >= KING:
        return rank, 1, 0
    cards = may >> 4 * rank & 15
    if hand == cards << 4 * rank:
        return rank, cards, top >> 4 * rank & 15
    return rank, cards, 0


def keepers_turn(world: ShitheadWorld) -> None:
    """A turn of ``keeper`` in the world of a search."""
    hand, top = world.hands[world.turn], world.tops[world.turn]
    may = (hand or top) & world.masks[world.t]
    if may:
        rank, cards, extra = decide(may, hand, top, world.last, world.run)
        play(world, rank, cards, extra)
    elif hand or top:
        pick_up(world)
    else:
        turn_up(world)


def choose_keeper(view: ShitheadView, _events: Sequence[Event], rng: Random) -> Move:
    if view.phase == "exchange":
        return swap(view)
    if escapes_repetition(view, rng):
        return rng.choice(view.legal_moves)
    top_codes = view.tops[view.seat or 0]
    if not view.hand and not top_codes:
        return view.legal_moves[0]  # one hidden card is like another
    hand, top = counts_of(view.hand), counts_of(top_codes)
    t = ANYTHING if view.to_beat is None else PLACE[view.to_beat[0]]
    may = (hand or top) & masks(view.options)[t]
    if not may:
        return PICKUP
    rank, cards, extra = decide(may, hand, top, *_run(view))
    lying = [code for code in view.hand or top_codes if PLACE[code[0]] == rank][:cards]
    return " ".join(lying + [code for code in top_codes if PLACE[code[0]] == rank][:extra])


def _run(view: ShitheadView) -> tuple[int, int]:
    """The rank on top of the pile that could be completed to four, and how many lie there."""
    through = view.options.burn_through_threes
    pile = list(view.pile)
    while through and pile and pile[-1][0] == "3":
        pile.pop()
    if not pile:
        return ANYTHING, 0
    return PLACE[pile[-1][0]], run_on_top([CARD[code] for code in pile], through)


def swap(view: ShitheadView, worth: Mapping[str, int] = PLACE) -> Move:
    """Lays the best hand card open in place of the worst top card, until none is better."""
    if view.legal_moves == (READY,):  # a person used up the swaps of this seat (R5)
        return READY
    best = max(view.hand, key=lambda code: worth[code[0]])
    worst = min(view.tops[view.seat or 0], key=lambda code: worth[code[0]])
    if worth[best[0]] <= worth[worst[0]]:
        return READY
    return SWAP[CARD[best]][CARD[worst]]


KEEPER: Final[Bot[ShitheadView]] = Bot(
    slug="keeper",
    name="Keeper",
    summary="Plays low cards first, keeps the wild ones for need and completes fours.",
    level=3,
    choose=choose_keeper,
)
