"""What traces of all kernels have in common."""

from typing import Any

from games.fast.compiling import inner


@inner
def note_cards(out: Any, at: int, cards: Any, first: int, last: int) -> int:
    """How many cards (or seats) and which, from place ``at`` on; the next place."""
    count = last - first
    out[at] = count
    into, some = out[at + 1 : at + 1 + count], cards[first:last]
    for nth in range(count):
        into[nth] = some[nth]
    return at + 1 + count
