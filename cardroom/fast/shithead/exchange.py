"""Cards change places before the first turn (R5)."""

from typing import Any

from cardroom.fast.compiling import inner
from cardroom.fast.shithead.cards import lowest_card
from cardroom.fast.shithead.layout import (
    EACH,
    EXCHANGED,
    HAND,
    LOWEST,
    NONE,
    PLAYERS,
    PLIES,
    RANDOM,
    RANK_PLACES,
    READY,
    READY_SAID,
    SWAPS_LEFT,
    TOP,
)
from cardroom.fast.shithead.states import note
from cardroom.fast.stream import below
from cardroom.rules.shithead.predicates import RANK_COUNT


@inner
def choose_swap(policy: int, seats: Any, seat: int, each: int, words: Any) -> int:
    """The hand card and, 64 times, the top card that change places; −1 is `ready`."""
    hand, top = seats[seat, HAND], seats[seat, TOP]
    if policy == LOWEST or not seats[seat, SWAPS_LEFT]:
        return NONE
    if policy == RANDOM:
        number = below(words, 1 + each * each) - 1
        if number < 0:
            return NONE
        for _ in range(number // each):
            hand &= hand - 1
        for _ in range(number % each):
            top &= top - 1
        return lowest_card(hand) + 64 * lowest_card(top)
    best = worst = NONE
    for rank in range(RANK_COUNT):
        place = RANK_PLACES[rank]
        if (hand >> 4 * rank) & 15 and (best < 0 or place > RANK_PLACES[best]):
            best = rank
        if (top >> 4 * rank) & 15 and (worst < 0 or place < RANK_PLACES[worst]):
            worst = rank
    if RANK_PLACES[best] <= RANK_PLACES[worst]:
        return NONE
    return lowest_card(hand & (15 << 4 * best)) + 64 * lowest_card(top & (15 << 4 * worst))


@inner
def exchange(
    options: Any, policies: Any, words: Any, deck: Any, hidden: Any, pile: Any, burnt: Any,
    facts: Any, seats: Any, acting: Any, result: Any, trace: Any,
) -> None:  # fmt: skip
    """R5: any seat that is not ready may act, until all are."""
    while True:
        count = 0
        for seat in range(options[PLAYERS]):
            if not seats[seat, READY]:
                acting[count] = seat
                count += 1
        if count == 0:
            return
        if trace.shape[0]:
            note(options, deck, hidden, pile, burnt, facts, seats, trace, result[PLIES])
        seat = acting[below(words, count)] if count > 1 else acting[0]
        swap = choose_swap(policies[seat], seats, seat, options[EACH], words)
        result[PLIES] += 1
        if swap < 0:
            seats[seat, READY] = 1
            result[READY_SAID] += 1
        else:
            cards = 1 << (swap & 63) | 1 << (swap >> 6)
            seats[seat, HAND] ^= cards
            seats[seat, TOP] ^= cards
            seats[seat, SWAPS_LEFT] -= 1
            result[EXCHANGED] += 1
