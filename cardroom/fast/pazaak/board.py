"""Cards on a board: what may be laid, what it changes, ties (R14 to R17, R22, R25)."""

from typing import Any

from cardroom.fast.compiling import inner
from cardroom.fast.pazaak.layout import (
    ALLOWANCE,
    AMOUNTS,
    ANY_TIEBREAKER,
    BOARD,
    CODE,
    DOUBLE,
    FLIPS,
    GONE,
    KINDS,
    NEEDS_PLACE,
    NUMBER,
    PLAYED,
    REST,
    SIDE,
    TAKES_SLOT,
    TIEBREAKER,
    TOTAL,
    VALUE,
)
from cardroom.rules.pazaak import predicates
from cardroom.rules.pazaak.predicates import PLACES

is_bust = inner(predicates.is_bust)

is_filled = inner(predicates.is_filled)


@inner
def has_space(options: Any, board: int, code: int) -> bool:
    if board < PLACES:
        return True
    return not NEEDS_PLACE[code] and not options[TAKES_SLOT]


@inner
def is_flipped(value: int, code: int) -> bool:
    size = abs(value)
    return size == FLIPS[code, 0] or size == FLIPS[code, 1]  # type: ignore[no-any-return]


@inner
def total_after(cards: Any, seats: Any, seat: int, code: int, way: int) -> int:
    total, board = seats[seat, TOTAL], seats[seat, BOARD]
    if KINDS[code] == VALUE:
        return total + AMOUNTS[code, way]  # type: ignore[no-any-return]
    if KINDS[code] == DOUBLE:
        return total + cards[seat, NUMBER, board - 1]  # type: ignore[no-any-return]
    for at in range(board):
        if is_flipped(cards[seat, NUMBER, at], code):
            total -= 2 * cards[seat, NUMBER, at]
    return total  # type: ignore[no-any-return]


@inner
def has_tiebreaker(options: Any, cards: Any, seats: Any, seat: int) -> bool:
    """R22."""
    board = seats[seat, BOARD]
    for at in range(0 if options[ANY_TIEBREAKER] else max(0, board - 1), board):
        if cards[seat, CODE, at] == TIEBREAKER:
            return True
    return False


@inner
def breaks_ties_after(options: Any, cards: Any, seats: Any, seat: int, code: int) -> bool:
    """Whether the seat has a tiebreaker that counts once it has played this card."""
    if code == TIEBREAKER:
        return True
    if not options[ANY_TIEBREAKER] and (KINDS[code] == VALUE or options[TAKES_SLOT]):
        return False
    return has_tiebreaker(options, cards, seats, seat)


@inner
def add(cards: Any, seats: Any, seat: int, code: int, value: int) -> None:
    board = seats[seat, BOARD]
    cards[seat, CODE, board] = code
    cards[seat, NUMBER, board] = value
    seats[seat, BOARD] = board + 1


@inner
def lay(options: Any, cards: Any, seats: Any, seat: int, code: int, way: int) -> None:
    """R14 to R17."""
    newest = seats[seat, BOARD] - 1
    if KINDS[code] == VALUE:
        add(cards, seats, seat, code, AMOUNTS[code, way])
    elif KINDS[code] == DOUBLE:
        if options[TAKES_SLOT]:
            add(cards, seats, seat, code, cards[seat, NUMBER, newest])
        else:
            cards[seat, NUMBER, newest] *= 2
    else:
        for at in range(seats[seat, BOARD]):
            if is_flipped(cards[seat, NUMBER, at], code):
                cards[seat, NUMBER, at] = -cards[seat, NUMBER, at]
        if options[TAKES_SLOT]:
            add(cards, seats, seat, code, 0)
    total = 0
    for at in range(seats[seat, BOARD]):
        total += cards[seat, NUMBER, at]
    seats[seat, TOTAL] = total


@inner
def spend(cards: Any, seats: Any, hands: Any, seat: int, code: int) -> None:
    """The card is gone for the match (R3), off a cheater's allowance (R25)."""
    hands[seat, code] -= 1
    cards[seat, GONE, seats[seat, PLAYED]] = code
    seats[seat, PLAYED] += 1
    if seats[seat, ALLOWANCE] < 0:
        return
    seats[seat, ALLOWANCE] -= 1
    at = 0
    while cards[seat, REST, at] != code:
        at += 1
    seats[seat, SIDE] -= 1
    for place in range(at, seats[seat, SIDE]):
        cards[seat, REST, place] = cards[seat, REST, place + 1]
