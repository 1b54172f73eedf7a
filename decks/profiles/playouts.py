"""Playing ten cards against the reference deck: bot ``gambler`` on both sides, seats in turn.

Match number n of the same cards is always the same match, so whoever plays it gets the same result.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.rules.pazaak import PAZAAK
from games.rules.pazaak.side_cards import reference_deck
from games.rules.shuffles import seeded
from games.rules.values import Setup

REFERENCE: Final = reference_deck("full")
PLAYER: Final = PAZAAK.bot("gambler")
SEATS: Final = ("a deck", "the reference deck")


def wins(cards: Sequence[str], first: int, count: int) -> int:
    """How many of ``count`` matches, from number ``first`` on, the cards win."""
    return sum(is_won(cards, number) for number in range(first, first + count))


def is_won(cards: Sequence[str], number: int) -> bool:
    """Whether the cards win match ``number``; they sit at seat 0 in the even ones."""
    seat = number % 2
    decks = [tuple(cards), REFERENCE] if seat == 0 else [REFERENCE, tuple(cards)]
    return winner(decks, Random(f"{' '.join(cards)} {number}")) == seat


def winner(decks: Sequence[tuple[str, ...]], rng: Random) -> int:
    """The seat that wins a match of the default rules, which nobody can draw."""
    options, shuffle = PAZAAK.options(), seeded(rng)
    setups = [
        PAZAAK.complete_setup(options, Setup(name, PLAYER.slug, deck))
        for name, deck in zip(SEATS, decks, strict=True)
    ]
    state = PAZAAK.start(options, setups, shuffle).state
    while acting := PAZAAK.to_act(state):
        seat = acting[0]
        move = PLAYER.choose(PAZAAK.view(state, seat), (), rng)
        state = PAZAAK.play(state, seat, move, shuffle).state
    outcome = PAZAAK.outcome(state)
    return outcome.winners[0] if outcome else -1
