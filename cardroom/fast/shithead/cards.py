"""Cards as bits of a number, and the pile (R11, R13)."""

from typing import Any

from cardroom.fast.bits import count_bits
from cardroom.fast.compiling import inner
from cardroom.fast.shithead.layout import HAND, HIDDEN, TOP
from cardroom.rules.cards import JOKER, THREE
from cardroom.rules.shithead.predicates import NOTHING


@inner
def lowest_rank(cards: int) -> int:
    rank = 0
    while (cards >> 4 * rank) & 15 == 0:
        rank += 1
    return rank


@inner
def lowest_card(cards: int) -> int:
    card = 4 * lowest_rank(cards)
    while (cards >> card) & 1 == 0:
        card += 1
    return card


@inner
def first_cards(cards: int, rank: int, count: int) -> int:
    """The first ``count`` cards of a rank, as a set."""
    chosen, card = 0, 4 * rank
    while count:
        if (cards >> card) & 1:
            chosen |= 1 << card
            count -= 1
        card += 1
    return chosen


@inner
def rank_to_beat(pile: Any, height: int, transparent: int) -> int:
    """R11."""
    for at in range(height - 1, -1, -1):
        rank = pile[at] >> 2
        if rank != THREE and not (transparent and rank == JOKER):
            return rank  # type: ignore[no-any-return]
    return NOTHING


@inner
def run_on_top(pile: Any, height: int, through: int) -> int:
    """R13: how many cards on top of the pile have one rank."""
    last, run = pile[height - 1] >> 2, 0
    for at in range(height - 1, -1, -1):
        rank = pile[at] >> 2
        if rank == last:
            run += 1
        elif not (through and rank == THREE):
            break
    return run


@inner
def cards_left(seats: Any, seat: int) -> int:
    return (  # type: ignore[no-any-return]
        count_bits(seats[seat, HAND]) + count_bits(seats[seat, TOP]) + seats[seat, HIDDEN]
    )
