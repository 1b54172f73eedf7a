"""A move and what follows by itself (R7 to R12, R20)."""

from typing import Any

from cardroom.fast.compiling import inner
from cardroom.fast.pazaak.board import add, is_bust, is_filled, lay, spend
from cardroom.fast.pazaak.layout import (
    AT_END,
    AUTO_STAND,
    BOARD,
    CARD_PLAYED,
    CHOSEN,
    CLOSE,
    DO_BEGIN,
    DO_DRAW,
    DO_END,
    DO_FILLED,
    DO_GO_ON,
    DO_OVER,
    DRAW,
    FILL_STANDS,
    LEADS,
    MAIN,
    MAIN_AT,
    MAIN_CODE,
    MAIN_DRAWN,
    PASSED,
    PHASE,
    STANDING,
    STOOD,
    TO_ACT,
    TOTAL,
    TURN_CLOSE,
    TURN_PLAY,
    TURN_START,
    WAIT,
    WAY,
)
from cardroom.fast.pazaak.rounds import compare, end_round, is_decided, open_round
from cardroom.rules.pazaak.predicates import TARGET


@inner
def stand(seats: Any, seat: int, result: Any) -> None:
    seats[seat, STANDING] = 1
    result[STOOD] += 1


@inner
def draw(cards: Any, seats: Any, seat: int, facts: Any, result: Any) -> int:
    """R9, R10."""
    value = cards[seat, MAIN, seats[seat, MAIN_AT]]
    seats[seat, MAIN_AT] += 1
    add(cards, seats, seat, MAIN_CODE + value, value)
    seats[seat, TOTAL] += value
    result[MAIN_DRAWN] += 1
    facts[TO_ACT], facts[PHASE] = seat, TURN_PLAY
    return DO_FILLED if is_filled(seats[seat, BOARD], seats[seat, TOTAL]) else WAIT


@inner
def end_turn(options: Any, seats: Any, seat: int, facts: Any, result: Any) -> int:
    """R12."""
    total = seats[seat, TOTAL]
    if is_bust(total):
        facts[LEADS] = 1 - seat
        return DO_OVER
    if is_filled(seats[seat, BOARD], total):
        return DO_FILLED
    if total == TARGET and options[AUTO_STAND] and not seats[seat, STANDING]:
        stand(seats, seat, result)
    return DO_GO_ON


@inner
def fill(options: Any, seats: Any, seat: int, facts: Any, result: Any) -> int:
    """R20, `table_fill`."""
    if not options[FILL_STANDS]:
        facts[LEADS] = seat
        return DO_OVER
    if not seats[seat, STANDING]:
        stand(seats, seat, result)
    return DO_GO_ON


@inner
def go_on(options: Any, cards: Any, seats: Any, seat: int, facts: Any) -> int:
    """R12.4, R12.5, R7."""
    following = 1 - seat
    if seats[1 - seat, STANDING]:
        if seats[seat, STANDING]:
            compare(options, cards, seats, facts)
            return DO_OVER
        following = seat
    facts[TO_ACT], facts[PHASE] = following, TURN_START
    return DO_BEGIN


@inner
def carry_on(
    options: Any, words: Any, cards: Any, seats: Any, hands: Any, facts: Any, do: int, result: Any
) -> None:
    """All that follows by itself, until a seat has a choice or the match is over."""
    seat = facts[TO_ACT]
    while do != WAIT:
        if do == DO_DRAW:
            do = draw(cards, seats, seat, facts, result)
        elif do == DO_END:
            do = end_turn(options, seats, seat, facts, result)
        elif do == DO_FILLED:
            do = fill(options, seats, seat, facts, result)
        elif do == DO_GO_ON:
            do = go_on(options, cards, seats, seat, facts)
        elif do == DO_OVER:
            end_round(facts, result)
            if is_decided(options, facts):
                return
            open_round(options, words, cards, seats, hands, facts, result)
            do = DO_BEGIN
        else:
            seat = facts[TO_ACT]
            do = DO_DRAW if options[AT_END] else WAIT


@inner
def act(options: Any, cards: Any, seats: Any, hands: Any, facts: Any, result: Any) -> int:
    """The chosen move; what is to be done next."""
    seat, chosen = facts[TO_ACT], facts[CHOSEN]
    if chosen >= 0:
        lay(options, cards, seats, seat, chosen, facts[WAY])
        spend(cards, seats, hands, seat, chosen)
        result[CARD_PLAYED] += 1
        facts[PHASE] = TURN_CLOSE
        return WAIT if options[AT_END] else DO_END
    if chosen == DRAW:
        return DO_DRAW
    if chosen == CLOSE:
        result[PASSED] += 1
        return DO_END
    stand(seats, seat, result)
    return DO_END if options[AT_END] else DO_GO_ON
