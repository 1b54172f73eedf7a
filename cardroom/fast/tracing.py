"""What traces of all kernels have in common."""

from typing import Any

from cardroom.fast.compiling import inner


@inner
def note_cards(out: Any, at: int, cards: Any, first: int, last: int) -> int:
    """How many cards (or seats) and which, from place ``at`` on; the next place."""
    count = last - first
    out[at] = count
    # As slices they are copied in one piece: no place in them can be negative.
    target, source = out[at + 1 : at + 1 + count], cards[first:last]
    for nth in range(count):
        target[nth] = source[nth]
    return at + 1 + count
