"""How a trick begins and ends (R7, R13, R14)."""

from typing import Any

from cardroom.fast.compiling import inner
from cardroom.fast.pyanitsa.layout import (
    AT_LEVEL,
    BOTTOM,
    CARD,
    DISPUTING,
    HAS_MORTGAGE,
    LAYING,
    ORDER,
    OUT_IN,
    OWN_FIRST,
    PLAYERS,
    RANDOM,
    SEAT,
    SEAT_OUT,
    TABLE,
    TURN_LEADER,
)
from cardroom.fast.pyanitsa.piles import held, put
from cardroom.fast.stream import shuffle


@inner
def collect(
    options: Any, words: Any, piles: Any, seats: Any, taker: int, trick: Any, table: Any, order: Any
) -> None:
    """The table goes to the taker (R13, `collect_order`)."""
    count, bottom = trick[TABLE], options[BOTTOM]
    if options[ORDER] == OWN_FIRST:
        for own in (True, False):
            for at in range(count):
                if (table[at, SEAT] == taker) == own:
                    put(piles, seats, taker, table[at, CARD], bottom)
        return
    for at in range(count):
        order[at] = table[at, CARD]
    if options[ORDER] == RANDOM:
        shuffle(words, order, 0, count)
    for at in range(count):
        put(piles, seats, taker, order[at], bottom)


@inner
def leave(players: int, seats: Any, taker: int, trick_no: int, result: Any) -> int:
    """R14: every seat without cards is out; how many are in."""
    left = 0
    for seat in range(players):
        if seats[seat, OUT_IN] == 0 and seat != taker and held(seats, seat) == 0:
            seats[seat, OUT_IN] = trick_no
            result[SEAT_OUT] += 1
        left += seats[seat, OUT_IN] == 0
    return left


@inner
def open_trick(options: Any, seats: Any, trick: Any, laying: Any, first: int) -> None:
    """Everybody still in is to lay, the leader first (R7)."""
    players, count = options[PLAYERS], 0
    for step in range(players):
        seat = (first + step) % players
        if seats[seat, OUT_IN] == 0:
            laying[count] = seat
            count += 1
    trick[TURN_LEADER] = laying[0]
    trick[LAYING] = count
    trick[TABLE] = trick[AT_LEVEL] = trick[HAS_MORTGAGE] = trick[DISPUTING] = 0
