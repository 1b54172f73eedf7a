"""The cards of a trick: laying, the highest, disputes (R7 to R11).

How a trick begins and ends (R7, R13, R14).
"""

from typing import Any

from cardroom.fast.compiling import inner, shuffle
from cardroom.fast.pyanitsa.layout import (
    AT_LEVEL,
    BOTTOM,
    CARD,
    DISPUTE,
    DISPUTES,
    DISPUTING,
    DOWN,
    HAS_MORTGAGE,
    LAID,
    LAY_FROM,
    LAYING,
    LEVEL,
    LOSES,
    LOW,
    MORTGAGE,
    ORDER,
    OUT_IN,
    OWN_FIRST,
    PLAYERS,
    PLIES,
    RANDOM,
    RECYCLE,
    SEAT,
    SEAT_OUT,
    STRENGTHS,
    TABLE,
    TURN_LEADER,
    held,
    next_card,
    note,
    put,
)
from cardroom.rules.pyanitsa.predicates import ABOVE_ACE, ACE_STRENGTH, NO_RANK


@inner
def lay(
    options: Any, words: Any, piles: Any, seats: Any, seat: int, trick: Any, table: Any, result: Any
) -> None:
    """What a seat has to lay at this level; one short of two lays its one face down (`loses`)."""
    mortgage = trick[HAS_MORTGAGE]
    cards = 2 if mortgage and held(seats, seat) > 1 else 1
    for nth in range(cards):
        at = trick[TABLE]
        table[at, SEAT] = seat
        table[at, CARD] = next_card(piles, seats, seat, options[RECYCLE], words, result)
        table[at, LEVEL] = trick[AT_LEVEL]
        table[at, DOWN] = mortgage and nth == 0
        trick[TABLE] = at + 1
    result[LAID] += cards


@inner
def highest(options: Any, trick: Any, table: Any, tied: Any) -> int:
    """How many seats have the highest open card of this level; they are written to ``tied``."""
    level, has_ace, best = trick[AT_LEVEL], False, -1
    low = options[LOW]
    if low != NO_RANK:
        for at in range(trick[TABLE]):
            if table[at, LEVEL] == level and not table[at, DOWN]:
                has_ace = has_ace or options[STRENGTHS + table[at, CARD]] == ACE_STRENGTH
    count = 0
    for at in range(trick[TABLE]):
        if table[at, LEVEL] != level or table[at, DOWN]:
            continue
        strength = options[STRENGTHS + table[at, CARD]]
        if has_ace and strength == low:
            strength = ABOVE_ACE
        if strength > best:
            best, count = strength, 0
        if strength == best:
            tied[count] = table[at, SEAT]
            count += 1
    return count


@inner
def open_dispute(options: Any, seats: Any, trick: Any, tied: Any, laying: Any, count: int) -> int:
    """The next level (R9 to R11): the seat that takes the table at once, or −1."""
    trick[AT_LEVEL] += 1
    trick[DISPUTING] = count
    two = True
    trick[LAYING] = 0
    taker = -1
    for nth in range(count):
        cards = held(seats, tied[nth])
        two = two and cards > 1
        if cards:
            laying[trick[LAYING]] = tied[nth]
            trick[LAYING] += 1
        elif taker < 0 and not options[LOSES]:
            taker = tied[nth]  # R10
    trick[HAS_MORTGAGE] = options[MORTGAGE] and (two or options[LOSES])
    if taker < 0 and trick[LAYING] == 0:
        return tied[0]  # type: ignore[no-any-return]
    return taker


@inner
def play_trick(
    options: Any, words: Any, piles: Any, seats: Any, trick: Any, laying: Any, tied: Any,
    table: Any, result: Any, deck: Any, trace: Any,
) -> int:  # fmt: skip
    """Lays and disputes until a seat takes the table; that seat."""
    while True:
        for nth in range(trick[LAYING]):
            trick[LAY_FROM] = nth
            if trace.shape[0]:
                note(options, piles, seats, trick, laying, tied, table, deck, trace, result[PLIES])
            lay(options, words, piles, seats, laying[nth], trick, table, result)
            result[PLIES] += 1
        first = tied[0]
        count = highest(options, trick, table, tied)
        if count == 0:
            return first  # type: ignore[no-any-return]
        if count == 1:
            return tied[0]  # type: ignore[no-any-return]
        result[DISPUTE] += 1
        result[DISPUTES] += trick[AT_LEVEL] == 0
        taker = open_dispute(options, seats, trick, tied, laying, count)
        if taker >= 0:
            return taker


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
