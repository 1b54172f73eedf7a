"""What the score and the cards left are worth between two rounds: the chance to win the match.

A logistic model, fitted to 48,000 matches of the six rules against themselves with ready-made and
reference decks, of both ways to draw hands. Where it does not reach, a search plays its matches to
the end. Odds are whole hundredths, so compiled code finds exactly the same chances.
"""

from math import exp
from typing import Final, NamedTuple

from games.rules.pazaak.bots.world import World
from games.rules.pazaak.side_cards import CARD, CODES

_KINDS: Final = {"plus": 0, "minus": 1, "plus-or-minus": 2}
KIND_OF: Final = tuple(_KINDS.get(CARD[code].kind, 3) for code in CODES)
MOST_NEEDED: Final = 3  # rounds to win, as far as the model reaches
MOST_ODDS: Final = 1200  # ten cards of the dearest kind, a lead and the start come to less
CHANCES: Final = tuple(1 / (1 + exp(-odds / 100)) for odds in range(-MOST_ODDS, MOST_ODDS + 1))


class Weights(NamedTuple):
    """Log-odds in hundredths. ``leads``: what it counts to need fewer rounds than the rival, by the
    rounds that each still needs; ``start``: to start the round; ``cards``: each side card that may
    still be played, by its number.
    """

    leads: dict[tuple[int, int], int]
    start: int
    cards: tuple[int, ...]


def by_kind(*weights: int) -> tuple[int, ...]:
    """What each card counts: a weight for plus, minus, plus or minus, and all others."""
    return tuple(weights[kind] for kind in KIND_OF)


PER_ROUND: Final = Weights({(1, 2): 112}, -2, by_kind(9, 24, 29, 25))
ONCE: Final = Weights({(1, 2): 123, (1, 3): 212, (2, 3): 87}, -8, by_kind(39, 49, 66, 76))


def reaches(world: World) -> bool:
    """Whether the model knows this match at any score it may come to."""
    return world.to_win <= (MOST_NEEDED if world.once else 2) and not world.max_rounds


def weights_of(world: World) -> Weights:
    return ONCE if world.once else PER_ROUND


def chance(world: World, seat: int) -> float:
    """The chance of ``seat`` to win the match, at the start of a round."""
    weights = weights_of(world)
    mine, theirs = (world.to_win - world.wins[each] for each in (seat, 1 - seat))
    odds = weights.leads.get((mine, theirs), 0) - weights.leads.get((theirs, mine), 0)
    odds += weights.start if world.starter == seat else -weights.start
    odds += _cards(world, seat, weights) - _cards(world, 1 - seat, weights)
    return CHANCES[MOST_ODDS + odds]


def _cards(world: World, seat: int, weights: Weights) -> int:
    """The side cards that the seat may still play in this match."""
    cheats, side = world.allowance[seat] >= 0, world.side[seat]
    left = side if cheats else world.hand[seat] if world.once else world.hand[seat] + side
    counted = sum([weights.cards[card] for card in left])
    if world.once and cheats and world.allowance[seat] < len(left):  # R25: some of those
        return counted * world.allowance[seat] // len(left)
    return counted
