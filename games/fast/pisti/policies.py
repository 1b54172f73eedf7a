"""The move of each bot that the kernel plays."""

from typing import Any

from games.fast.compiling import inner
from games.fast.pisti.layout import NONE, RANDOM
from games.fast.stream import below
from games.rules.cards import ACE, JACK


@inner
def choose(policy: int, hand: int, size: int, pile: Any, height: int, words: Any) -> int:
    """The place in the hand of the card to play; a single card is no choice."""
    if size == 1:
        return 0
    if policy == RANDOM:
        return below(words, size)
    top = pile[height - 1] % 13 if height else NONE
    for nth in range(size):
        rank = ((hand >> 8 * nth) & 255) % 13
        if rank == top or (height == 0 and rank != JACK and rank != ACE):
            return nth
    return size - 1
