"""What traces of all kernels have in common."""

from typing import Any

from games.fast.compiling import inner


@inner
def note_cards(out: Any, at: int, cards: Any, first: int, last: int) -> int:
    """How many cards (or seats) and which, from place ``at`` on; the next place."""
    out[at] = last - first
    at += 1
    for nth in range(first, last):
        out[at] = cards[nth]
        at += 1
    return at
