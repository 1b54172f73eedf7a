"""How a deal is scored, and whether it decides the match (R22 to R24, R27, R28)."""

from typing import Any

from cardroom.fast.bits import count_bits
from cardroom.fast.compiling import inner
from cardroom.fast.pisti.layout import (
    DOUBLE_POINTS,
    DOUBLES,
    FACE_DOWN,
    HEAP,
    LAST_CAPTURER,
    LEFTOVER,
    MAJORITY,
    NONE,
    PILE,
    PILE_CARDS,
    PLAYERS,
    SIDES,
    SINGLE_POINTS,
    SINGLES,
    TARGET,
    TOTAL,
)
from cardroom.rules.pisti.predicates import ACES, JACKS, TEN_DIAMONDS, TWO_CLUBS


@inner
def score(options: Any, facts: Any, seats: Any, result: Any) -> None:
    """The leftover pile and the points of the deal (R22 to R24)."""
    last, players, sides = facts[LAST_CAPTURER], options[PLAYERS], options[SIDES]
    if last >= 0 and facts[PILE]:
        seats[last, HEAP] |= facts[PILE_CARDS]
        facts[PILE] = facts[PILE_CARDS] = facts[FACE_DOWN] = 0
        result[LEFTOVER] += 1
    most, leader = NONE, NONE
    for side in range(sides):
        heap = seats[side, HEAP]
        if players > sides:
            heap |= seats[side + sides, HEAP]
        count = count_bits(heap)
        if count == most:
            leader = NONE
        elif count > most:
            most, leader = count, side
        points = count_bits(heap & (JACKS | ACES))
        points += 2 * ((heap & TWO_CLUBS) != 0) + 3 * ((heap & TEN_DIAMONDS) != 0)
        points += options[SINGLE_POINTS] * seats[side, SINGLES]
        seats[side, TOTAL] += points + options[DOUBLE_POINTS] * seats[side, DOUBLES]
    if leader >= 0:
        seats[leader, TOTAL] += options[MAJORITY]


@inner
def is_decided(options: Any, seats: Any) -> bool:
    """R27, R28."""
    best, shared = NONE, False
    for side in range(options[SIDES]):
        total = seats[side, TOTAL]
        if total >= best:
            best, shared = total, total == best
    return options[TARGET] < 0 or (best >= options[TARGET] and not shared)
