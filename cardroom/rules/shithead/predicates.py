"""What lies on what, what burns, who follows: facts of Shithead on plain ints (R11–R13, R17).

A pile is any sequence of cards, bottom first. Simulation kernels use the same functions; they
take the options they depend on as plain values.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, Literal

from cardroom.rules.cards import JOKER, RANK, SEVEN, TEN, THREE, TWO

BurnReason = Literal["ten", "four", "jokers"]

NOTHING: Final = -1  # the rank to beat on an empty pile, or on transparent cards alone
RANK_COUNT: Final = 14
ORDER: Final = tuple(
    RANK[card] * 4 + (card // 13 if card < 52 else card - 52) for card in range(54)
)


def in_order(cards: Iterable[int]) -> tuple[int, ...]:
    """By rank from 2 to ace, then jokers; inside a rank C D H S."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


def is_wild(rank: int) -> bool:
    """Playable on anything (shithead §0)."""
    return rank in (TWO, THREE, TEN, JOKER)


def rank_to_beat(pile: Sequence[int], joker_transparent: int) -> int:
    """R11: t, the rank of the topmost pile card that counts, or ``NOTHING``."""
    for card in reversed(pile):
        rank = RANK[card]
        if rank != THREE and not (joker_transparent and rank == JOKER):
            return rank
    return NOTHING


def allowed(rank: int, t: int, seven_lower: int, joker_reset: int) -> bool:
    """R11: whether a card of ``rank`` may be played on t."""
    if is_wild(rank) or t in (NOTHING, TWO):
        return True
    if t == JOKER:
        return bool(joker_reset)
    if t == SEVEN and seven_lower:
        return rank <= SEVEN
    return rank >= t


@cache
def allowed_ranks(t: int, seven_lower: int, joker_reset: int) -> tuple[bool, ...]:
    """R11 for every rank at once."""
    return tuple(allowed(rank, t, seven_lower, joker_reset) for rank in range(RANK_COUNT))


def run_on_top(pile: Sequence[int], through_threes: int) -> int:
    """How many cards on top of a pile have one rank, directly one after the other (R13)."""
    last = RANK[pile[-1]]
    run = 0
    for card in reversed(pile):
        rank = RANK[card]
        if rank == last:
            run += 1
        elif not (through_threes and rank == THREE):
            break
    return run


def burn_reason(pile: Sequence[int], through_threes: int) -> BurnReason | None:
    """R13: why the pile burns after a play, or ``None``."""
    last = RANK[pile[-1]]
    if last == TEN:
        return "ten"
    run = run_on_top(pile, through_threes)
    if run >= 4:
        return "four"
    return "jokers" if last == JOKER and run >= 2 else None


def may_swap(swaps_left: Sequence[int] | None, seat: int) -> bool:
    """R5: whether a seat has a swap left; ``None``: there is no limit."""
    return swaps_left is None or swaps_left[seat] > 0


def next_active(seat: int, direction: int, places: Sequence[int]) -> int:
    """R17: the next seat in ``direction`` that is in the game: its place is still 0."""
    players = len(places)
    seat = (seat + direction) % players
    while places[seat]:
        seat = (seat + direction) % players
    return seat
