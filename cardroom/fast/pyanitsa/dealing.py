"""The deal (R4)."""

from typing import Any

from cardroom.fast.compiling import inner
from cardroom.fast.pyanitsa.layout import BANK, DECK, DRAW, HEAD, OUT_IN, PACK, PLAYERS, WON
from cardroom.fast.stream import shuffle


@inner
def deal(options: Any, words: Any, deck: Any, piles: Any, seats: Any) -> None:
    """One card a seat at a time; what cannot be shared is set aside (R4)."""
    size, players = options[DECK], options[PLAYERS]
    for at in range(size):
        deck[at] = options[PACK + at]
    shuffle(words, deck, 0, size)
    each = size // players
    for seat in range(players):
        for at in range(each):
            piles[seat, 0, at] = deck[at * players + seat]
        seats[seat, HEAD] = 0
        seats[seat, DRAW] = each
        seats[seat, WON] = 0
        seats[seat, BANK] = 0
        seats[seat, OUT_IN] = 0
