"""The move of each bot that the kernel plays."""

from typing import Any

from cardroom.fast.compiling import inner
from cardroom.fast.pazaak.board import has_space, is_bust
from cardroom.fast.pazaak.gambling import gamble, is_content, mend
from cardroom.fast.pazaak.layout import (
    ALLOWANCE,
    AT_END,
    BOARD,
    CHOSEN,
    CLOSE,
    DRAW,
    GAMBLER,
    PHASE,
    RANDOM,
    SIDE_CARDS,
    STAND,
    TO_ACT,
    TOTAL,
    TURN_PLAY,
    TURN_START,
    WAY,
    WAY_COUNTS,
)
from cardroom.fast.stream import below
from cardroom.rules.pazaak.bots.rookie import ENOUGH


@inner
def count_ways(options: Any, seats: Any, hands: Any, seat: int) -> int:
    """How many moves play a card."""
    if seats[seat, ALLOWANCE] == 0:
        return 0
    count = 0
    for code in range(SIDE_CARDS):
        if hands[seat, code] and has_space(options, seats[seat, BOARD], code):
            count += WAY_COUNTS[code]
    return count


@inner
def choose_way(options: Any, seats: Any, hands: Any, facts: Any, seat: int, number: int) -> None:
    """The card play of this number, in the order of the rules."""
    for code in range(SIDE_CARDS):
        if hands[seat, code] and has_space(options, seats[seat, BOARD], code):
            if number < WAY_COUNTS[code]:
                facts[CHOSEN], facts[WAY] = code, number
                return
            number -= WAY_COUNTS[code]


@inner
def choose_at_random(options: Any, seats: Any, hands: Any, facts: Any, words: Any) -> None:
    seat, ways, closing = facts[TO_ACT], 0, 2
    if facts[PHASE] == TURN_PLAY:
        ways = count_ways(options, seats, hands, seat)
        closing = 2 if options[AT_END] else 1
    number = below(words, ways + closing) if ways + closing > 1 else 0
    if number < ways:
        choose_way(options, seats, hands, facts, seat, number)
    elif number > ways:
        facts[CHOSEN] = STAND
    else:
        facts[CHOSEN] = DRAW if facts[PHASE] == TURN_START else CLOSE


@inner
def choose(
    options: Any, policy: int, seats: Any, cards: Any, hands: Any, facts: Any, words: Any
) -> None:
    """The move of the seat to act, into CHOSEN and WAY."""
    if policy == RANDOM:
        choose_at_random(options, seats, hands, facts, words)
        return
    seat = facts[TO_ACT]
    total = seats[seat, TOTAL]
    facts[CHOSEN] = DRAW
    if facts[PHASE] == TURN_PLAY:
        if policy == GAMBLER:
            gamble(options, seats, cards, hands, facts, seat)
        elif is_bust(total) and seats[seat, ALLOWANCE] != 0:
            mend(options, seats, cards, hands, facts, seat, 0)
        if facts[CHOSEN] >= 0:
            return
    if facts[PHASE] == TURN_PLAY and not options[AT_END]:
        facts[CHOSEN] = CLOSE
        return
    if policy == GAMBLER:
        stands = is_content(options, seats, cards, seat)
    else:
        stands = total >= ENOUGH and (facts[PHASE] == TURN_START or not is_bust(total))
    facts[CHOSEN] = STAND if stands else DRAW if facts[PHASE] == TURN_START else CLOSE
