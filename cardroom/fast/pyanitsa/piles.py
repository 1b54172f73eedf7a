"""The draw and the won pile of a seat (R5, R6)."""

from typing import Any

from cardroom.fast.compiling import inner
from cardroom.fast.pyanitsa.layout import BANK, DRAW, HEAD, LIFO, RECYCLED, ROOM, SHUFFLE, WON
from cardroom.fast.stream import shuffle


@inner
def held(seats: Any, seat: int) -> int:
    """The cards a seat has, draw and won pile together (R5)."""
    return seats[seat, DRAW] + seats[seat, WON]  # type: ignore[no-any-return]


@inner
def next_card(piles: Any, seats: Any, seat: int, recycle: int, words: Any, result: Any) -> int:
    """The next card of a seat; the won pile is turned over when it is needed (R6)."""
    if seats[seat, DRAW] == 0:
        bank = 1 - seats[seat, BANK]
        count = seats[seat, WON]
        if recycle == LIFO:
            for at in range(count // 2):
                card = piles[seat, bank, at]
                piles[seat, bank, at] = piles[seat, bank, count - 1 - at]
                piles[seat, bank, count - 1 - at] = card
        elif recycle == SHUFFLE:
            shuffle(words, piles[seat, bank], 0, count)
        seats[seat, BANK] = bank
        seats[seat, HEAD] = 0
        seats[seat, DRAW] = count
        seats[seat, WON] = 0
        result[RECYCLED] += 1
    head = seats[seat, HEAD]
    seats[seat, HEAD] = (head + 1) & (ROOM - 1)
    seats[seat, DRAW] -= 1
    return piles[seat, seats[seat, BANK], head]  # type: ignore[no-any-return]


@inner
def put(piles: Any, seats: Any, seat: int, card: int, bottom: int) -> None:
    """A taken card goes under the draw pile or onto the won pile (`collect_to`)."""
    if bottom:
        bank, at = seats[seat, BANK], (seats[seat, HEAD] + seats[seat, DRAW]) & (ROOM - 1)
        seats[seat, DRAW] += 1
    else:
        bank, at = 1 - seats[seat, BANK], seats[seat, WON]
        seats[seat, WON] += 1
    piles[seat, bank, at] = card
