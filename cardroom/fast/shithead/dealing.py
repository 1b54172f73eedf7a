"""The deal and who starts (R2 to R4)."""

from typing import Any

from cardroom.fast.compiling import inner
from cardroom.fast.shithead.layout import (
    BURNT,
    CLAIMS,
    DEALER,
    DEALT,
    DIRECTION,
    EACH,
    EXCHANGE,
    GAME_NO,
    HAND,
    HIDDEN,
    IN_EXCHANGE,
    IN_PLAY,
    LOWEST_CARD,
    MOST_SEATS,
    NONE,
    OUT,
    PACK,
    PHASE,
    PILE,
    PLAYERS,
    READY,
    SEAT_PLACE,
    SIZE,
    STARTED,
    STOCK,
    SWAPS_LEFT,
    TOP,
    TURN,
    TURN_TOLD,
    TURNS,
)
from cardroom.fast.stream import shuffle
from cardroom.rules.shithead.predicates import RANK_COUNT


@inner
def open_game(
    options: Any,
    words: Any,
    deck: Any,
    hidden: Any,
    facts: Any,
    seats: Any,
    first: int,
    result: Any,
) -> None:
    """R2 to R4; ``first`` gets the first card."""
    players, each = options[PLAYERS], options[EACH]
    for at in range(options[SIZE]):
        deck[at] = options[PACK + at]
    shuffle(words, deck, 0, options[SIZE])
    part = each * players
    for seat in range(players):
        lies = (seat - first) % players
        hand = top = 0
        for nth in range(each):
            hidden[seat, nth] = deck[nth * players + lies]
            top |= 1 << deck[part + nth * players + lies]
            hand |= 1 << deck[2 * part + nth * players + lies]
        seats[seat, HAND], seats[seat, TOP], seats[seat, HIDDEN] = hand, top, each
        seats[seat, SEAT_PLACE] = 0
        seats[seat, READY] = not options[EXCHANGE]
        seats[seat, SWAPS_LEFT] = 3 * each if options[EXCHANGE] else 0
    facts[GAME_NO] += 1
    facts[DEALER] = (first - 1) % players
    facts[DIRECTION] = 1
    facts[STOCK] = 3 * part
    facts[PILE] = facts[BURNT] = facts[TURNS] = facts[OUT] = 0
    facts[PHASE], facts[TURN] = IN_EXCHANGE, NONE
    result[STARTED] += 1
    result[DEALT] += players


@inner
def open_play(options: Any, facts: Any, seats: Any, result: Any) -> None:
    """The starter's turn (R3, `first_starter`)."""
    players = options[PLAYERS]
    turn = (facts[DEALER] + 1) % players
    if options[LOWEST_CARD] and facts[GAME_NO] == 1:
        first, best = turn, MOST_SEATS * RANK_COUNT * 2
        for seat in range(players):
            claim = RANK_COUNT
            for rank in range(RANK_COUNT):
                if (seats[seat, HAND] >> 4 * rank) & 15:
                    claim = min(claim, CLAIMS[rank])
            claim = claim * MOST_SEATS + (seat - first) % players
            if claim < best:
                best, turn = claim, seat
    facts[PHASE], facts[TURN] = IN_PLAY, turn
    result[TURN_TOLD] += 1
