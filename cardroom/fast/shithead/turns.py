"""A turn: what is laid and what follows (R7 to R17)."""

from typing import Any

from cardroom.fast.bits import count_bits
from cardroom.fast.compiling import inner
from cardroom.fast.shithead.cards import cards_left, lowest_card, rank_to_beat, run_on_top
from cardroom.fast.shithead.layout import (
    AGAIN,
    ALLOWED,
    BLIND,
    BURNED,
    BURNT,
    DIRECTION,
    DREW,
    FAILED,
    FROM_SOURCE,
    FROM_TOP,
    HAND,
    HIDDEN,
    KIND,
    MAX_TURNS,
    NONE,
    OUT,
    PICKED_UP,
    PICKUP,
    PILE,
    PLAYED,
    PLAYERS,
    SEAT_OUT,
    SEAT_PLACE,
    SIZE,
    STOCK,
    THREE_IN_HAND,
    THROUGH,
    TOP,
    TRANSPARENT,
    TURN,
    TURN_TOLD,
    TURNED,
    TURNS,
)
from cardroom.rules.cards import JOKER, TEN


@inner
def put(pile: Any, facts: Any, cards: int) -> int:
    """Cards of a set onto the pile in order; how many."""
    count = 0
    while cards:
        card = lowest_card(cards)
        cards &= cards - 1
        pile[facts[PILE]] = card
        facts[PILE] += 1
        count += 1
    return count


@inner
def pick_up(pile: Any, facts: Any, seats: Any, seat: int, result: Any) -> None:
    for at in range(facts[PILE]):
        seats[seat, HAND] |= 1 << pile[at]
    facts[PILE] = 0
    result[PICKED_UP] += 1


@inner
def after_lay(options: Any, pile: Any, burnt: Any, facts: Any, count: int, result: Any) -> bool:
    """R12 to R14: direction and burn; whether the seat has another turn."""
    result[PLAYED] += 1
    last = pile[facts[PILE] - 1] >> 2
    turned = last == JOKER and count % 2 == 1
    if turned:
        facts[DIRECTION] = -facts[DIRECTION]
        result[TURNED] += 1
    run = run_on_top(pile, facts[PILE], options[THROUGH])
    if last == TEN or run >= 4 or (last == JOKER and run >= 2):
        for at in range(facts[PILE]):
            burnt[facts[BURNT] + at] = pile[at]
        facts[BURNT] += facts[PILE]
        facts[PILE] = 0
        result[BURNED] += 1
        return True
    return turned and options[AGAIN] and options[PLAYERS] - facts[OUT] == 2


@inner
def act(
    options: Any, hidden: Any, pile: Any, burnt: Any, facts: Any, seats: Any, result: Any
) -> bool:
    """R7 to R14: the chosen move; whether the seat has another turn."""
    seat = facts[TURN]
    if facts[KIND] == PICKUP:
        pick_up(pile, facts, seats, seat, result)
        return False
    if facts[KIND] == BLIND:
        slot = facts[FROM_SOURCE]
        card = hidden[seat, slot]
        hidden[seat, slot] = NONE
        seats[seat, HIDDEN] -= 1
        t = rank_to_beat(pile, facts[PILE], options[TRANSPARENT])
        if (options[ALLOWED + 1 + t] >> card) & 1 == 0:  # R10
            seats[seat, HAND] |= 1 << card
            result[FAILED] += 1
            pick_up(pile, facts, seats, seat, result)
            return False
        return after_lay(options, pile, burnt, facts, put(pile, facts, 1 << card), result)
    if seats[seat, HAND]:
        seats[seat, HAND] &= ~facts[FROM_SOURCE]
        seats[seat, TOP] &= ~facts[FROM_TOP]
    else:
        seats[seat, TOP] &= ~facts[FROM_SOURCE]
    count = put(pile, facts, facts[FROM_SOURCE])
    count += put(pile, facts, facts[FROM_TOP])
    return after_lay(options, pile, burnt, facts, count, result)


@inner
def take_turn(
    options: Any, deck: Any, hidden: Any, pile: Any, burnt: Any, facts: Any, seats: Any, result: Any
) -> bool:
    """R15 to R17; whether the game is over (R18, R19)."""
    seat, players = facts[TURN], options[PLAYERS]
    again = act(options, hidden, pile, burnt, facts, seats, result)
    wanted = 3 - count_bits(seats[seat, HAND]) if options[THREE_IN_HAND] else 1
    while wanted > 0 and facts[STOCK] < options[SIZE]:
        seats[seat, HAND] |= 1 << deck[facts[STOCK]]
        facts[STOCK] += 1
        wanted -= 1
        result[DREW] += 1
    if cards_left(seats, seat) == 0:
        facts[OUT] += 1
        seats[seat, SEAT_PLACE] = facts[OUT]
        result[SEAT_OUT] += 1
        again = False
    facts[TURNS] += 1
    if facts[OUT] == players - 1 or 0 <= options[MAX_TURNS] <= facts[TURNS]:
        return True
    result[TURN_TOLD] += 1
    if not again:
        seat = (seat + facts[DIRECTION]) % players
        while seats[seat, SEAT_PLACE]:
            seat = (seat + facts[DIRECTION]) % players
        facts[TURN] = seat
    return False
