"""A match of Shithead at one version. Cards are ints (``cardroom.rules.cards``)."""

from typing import Literal

from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.values import Card, Seat, State

Phase = Literal["exchange", "play", "over"]
Cards = tuple[Card, ...]
Slots = tuple[Card | None, ...]


class ShitheadState(State, frozen=True, gc=False, omit_defaults=True):
    """Hands and tops lie in the order of ``predicates.in_order``; index 0 of the stock is next.

    ``turn`` is the seat to act in the phase ``play``, else ``None``. ``places`` has 0 for a seat
    that is still in the game. ``times_shed``, ``points`` and ``last_shed`` are about the games of
    the match that are over. ``swaps_left`` counts, by seat, the swaps of this game's exchange that
    are still allowed (R5); ``None``: without a limit, in a match under version 1 of the rules.
    """

    options: ShitheadOptions
    game_no: int
    dealer: Seat
    direction: int
    phase: Phase
    turn: Seat | None
    ready: tuple[bool, ...]
    stock: Cards
    pile: Cards
    burned: Cards
    hands: tuple[Cards, ...]
    tops: tuple[Cards, ...]
    hidden: tuple[Slots, ...]
    places: tuple[int, ...]
    turns: int
    times_shed: tuple[int, ...]
    points: tuple[int, ...]
    last_shed: tuple[Seat, ...]
    swaps_left: tuple[int, ...] | None = None
