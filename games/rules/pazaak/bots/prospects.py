"""What the score and the cards left are worth between two rounds: the chance to win the match.

A logistic model, fitted to 48,000 matches of the six rules against themselves with ready-made and
reference decks, of both ways to draw hands. Where it does not reach, a search plays its matches to
the end.
"""

from math import exp
from typing import Final, NamedTuple

from games.rules.pazaak.bots.world import World
from games.rules.pazaak.side_cards import CARD, CODES

_KINDS: Final = {"plus": 0, "minus": 1, "plus-or-minus": 2}
KIND_OF: Final = tuple(_KINDS.get(CARD[code].kind, 3) for code in CODES)


class Weights(NamedTuple):
    """Log-odds. ``leads``: what it counts to need fewer rounds than the rival, by the rounds that
    each still needs; ``start``: to start the round; ``cards``: each side card that may still be
    played, by kind (plus, minus, plus or minus, all others).
    """

    leads: dict[tuple[int, int], float]
    start: float
    cards: tuple[float, float, float, float]


PER_ROUND: Final = Weights({(1, 2): 1.12}, -0.02, (0.09, 0.24, 0.29, 0.25))
ONCE: Final = Weights({(1, 2): 1.23, (1, 3): 2.12, (2, 3): 0.87}, -0.08, (0.39, 0.49, 0.66, 0.76))


def reaches(world: World) -> bool:
    """Whether the model knows this match at any score it may come to."""
    return world.to_win <= (3 if world.once else 2) and not world.max_rounds


def chance(world: World, seat: int) -> float:
    """The chance of ``seat`` to win the match, at the start of a round."""
    weights = ONCE if world.once else PER_ROUND
    mine, theirs = (world.to_win - world.wins[each] for each in (seat, 1 - seat))
    odds = weights.leads.get((mine, theirs), 0.0) - weights.leads.get((theirs, mine), 0.0)
    odds += weights.start if world.starter == seat else -weights.start
    odds += _cards(world, seat, weights) - _cards(world, 1 - seat, weights)
    return 1 / (1 + exp(-odds))


def _cards(world: World, seat: int, weights: Weights) -> float:
    """The side cards that the seat may still play in this match."""
    left, share = world.hand[seat], 1.0
    if not world.once:
        left = left + world.side[seat]
    elif world.allowance[seat] >= 0:  # R25: some of those that lie open
        left = world.side[seat]
        share = min(1.0, world.allowance[seat] / max(1, len(left)))
    return share * sum([weights.cards[KIND_OF[card]] for card in left])
