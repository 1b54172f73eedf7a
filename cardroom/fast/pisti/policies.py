"""The move of each bot that the kernel plays."""

from typing import Any

from cardroom.fast.compiling import inner, u64
from cardroom.fast.pisti.layout import HAND, NONE, PLAYERS, RANDOM
from cardroom.fast.stream import BOTS, below_from
from cardroom.rules.cards import ACE, JACK


@inner
def draw(options: Any, policies: Any, starter: int, words: Any) -> int:
    """What the random seats will play of the hands just dealt; a single card is no choice.

    Two bits a ply, the first ply in the lowest: the place in the hand.
    """
    players, drawn, ply, word = options[PLAYERS], 0, 0, u64(words[BOTS])
    for size in range(HAND, 1, -1):
        seat = starter
        for _ in range(players):
            if policies[u64(seat)] == RANDOM:
                at, word = below_from(word, size)
                drawn |= at << ply
            ply += 2
            seat = seat + 1 if seat + 1 < players else 0
    words[BOTS] = word
    return drawn


@inner
def choose(hand: int, size: int, pile: Any, height: int) -> int:
    """The place in the hand of the card that ``greedy`` plays."""
    if size == 1:
        return 0
    top_rank = pile[height - 1] % 13 if height else NONE
    for nth in range(size):
        rank = ((hand >> 8 * nth) & 255) % 13
        if rank == top_rank or (height == 0 and rank != JACK and rank != ACE):
            return nth
    return size - 1
