"""What the score and the cards left are worth between two rounds: the chance to win the match.

A logistic model, fitted to 48,000 matches of the six rules against themselves with ready-made and
reference decks, of both ways to draw hands. Where it does not reach, a search plays its matches to
the end. Odds are whole hundredths, so compiled code finds exactly the same chances.
"""

from math import exp
from typing import Final

from games.rules.pazaak.bots.world import PazaakWorld
from games.rules.pazaak.side_cards import CARD, CODES

_KINDS: Final = {"plus": 0, "minus": 1, "plus-or-minus": 2}
_KIND_OF: Final = tuple(_KINDS.get(CARD[code].kind, 3) for code in CODES)
MOST_NEEDED: Final = 3  # rounds to win, as far as the model reaches
MOST_ODDS: Final = 1200  # ten cards of the dearest kind, a lead and the start come to less
CHANCES: Final = tuple(1 / (1 + exp(-odds / 100)) for odds in range(-MOST_ODDS, MOST_ODDS + 1))


def _leads(leads: dict[tuple[int, int], int]) -> tuple[tuple[int, ...], ...]:
    needed = range(MOST_NEEDED + 1)
    return tuple(
        tuple(leads.get((mine, theirs), 0) - leads.get((theirs, mine), 0) for theirs in needed)
        for mine in needed
    )


def _by_kind(*weights: int) -> tuple[int, ...]:
    """What each card counts: a weight for plus, minus, plus or minus, and all others."""
    return tuple(weights[kind] for kind in _KIND_OF)


# Log-odds in hundredths; first where hands are drawn each round, then where they are once.
# LEADS: to need fewer rounds than the rival, by the rounds that each still needs.
LEADS: Final = (_leads({(1, 2): 112}), _leads({(1, 2): 123, (1, 3): 212, (2, 3): 87}))
STARTS: Final = (-2, -8)  # to start the round
CARDS: Final = (_by_kind(9, 24, 29, 25), _by_kind(39, 49, 66, 76))  # each that may be played


def reaches(world: PazaakWorld) -> bool:
    """Whether the model knows this match at any score it may come to."""
    return world.to_win <= (MOST_NEEDED if world.once else 2) and not world.max_rounds


def chance_to_win(world: PazaakWorld, seat: int) -> float:
    """The chance of ``seat`` to win the match, at the start of a round."""
    mine, theirs = world.to_win - world.wins[seat], world.to_win - world.wins[1 - seat]
    start = STARTS[world.once]
    odds = LEADS[world.once][mine][theirs] + (start if world.starter == seat else -start)
    odds += cards_left(world, seat) - cards_left(world, 1 - seat)
    return CHANCES[MOST_ODDS + odds]


def cards_left(world: PazaakWorld, seat: int) -> int:
    """What the side cards count that the seat may still play in this match."""
    counted, cheats, left = 0, world.allowance[seat] >= 0, world.side_size[seat]
    if not cheats:
        for at in range(world.hand_size[seat]):
            counted += CARDS[world.once][world.hand[seat][at]]
    if cheats or not world.once:
        for at in range(left):
            counted += CARDS[world.once][world.side[seat][at]]
    if world.once and cheats and world.allowance[seat] < left:  # R25: some of those
        return counted * world.allowance[seat] // left
    return counted
