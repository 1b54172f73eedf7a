"""The rule of ``gambler``: when it stands and which card it plays."""

from typing import Any

from cardroom.fast.compiling import inner
from cardroom.fast.pazaak.board import (
    breaks_ties_after,
    has_space,
    has_tiebreaker,
    is_bust,
    total_after,
)
from cardroom.fast.pazaak.layout import (
    ALLOWANCE,
    BOARD,
    CHOSEN,
    NONE,
    SIDE_CARDS,
    STANDING,
    TOTAL,
    WAY,
    WAY_COUNTS,
    WORTHS,
)
from cardroom.rules.pazaak.bots.gambler import GOOD
from cardroom.rules.pazaak.predicates import PLACES, TARGET


@inner
def beats(options: Any, seats: Any, cards: Any, seat: int, total: int, breaks: bool) -> bool:  # noqa: FBT001
    """Whether standing with this wins against what the rival stands on."""
    if total != seats[1 - seat, TOTAL]:
        return total > seats[1 - seat, TOTAL]  # type: ignore[no-any-return]
    return breaks and not has_tiebreaker(options, cards, seats, 1 - seat)


@inner
def is_content(options: Any, seats: Any, cards: Any, seat: int) -> bool:
    """``gambler.is_content``."""
    total, rival = seats[seat, TOTAL], seats[1 - seat, TOTAL]
    if total == TARGET:
        return True
    if is_bust(total):
        return False
    if seats[1 - seat, STANDING]:
        breaks = has_tiebreaker(options, cards, seats, seat)
        ahead = beats(options, seats, cards, seat, total, breaks)
        return ahead or (total == rival and total >= GOOD)
    return total >= GOOD  # type: ignore[no-any-return]


@inner
def mend(
    options: Any, seats: Any, cards: Any, hands: Any, facts: Any, seat: int, cheap: int
) -> None:
    """Undoes a bust with the highest total; with ``cheap`` by the cheapest card of several."""
    best = NONE * 1000
    for code in range(SIDE_CARDS):
        if not hands[seat, code] or not has_space(options, seats[seat, BOARD], code):
            continue
        for way in range(WAY_COUNTS[code]):
            total = total_after(cards, seats, seat, code, way)
            rank = 8 * total - cheap * WORTHS[code]
            if not is_bust(total) and rank > best:
                best = rank
                facts[CHOSEN], facts[WAY] = code, way


@inner
def reach(
    options: Any, seats: Any, cards: Any, hands: Any, facts: Any, seat: int, to_target: int
) -> None:
    """The cheapest card that makes 20, or that beats what the rival stands on."""
    best = 1 << 20
    for code in range(SIDE_CARDS):
        if not hands[seat, code] or not has_space(options, seats[seat, BOARD], code):
            continue
        for way in range(WAY_COUNTS[code]):
            total = total_after(cards, seats, seat, code, way)
            if is_bust(total):
                continue
            if to_target:
                fits = total == TARGET
            else:
                breaks = breaks_ties_after(options, cards, seats, seat, code)
                fits = beats(options, seats, cards, seat, total, breaks)
            rank = 1000 * WORTHS[code] + total
            if fits and rank < best:
                best = rank
                facts[CHOSEN], facts[WAY] = code, way


@inner
def gamble(options: Any, seats: Any, cards: Any, hands: Any, facts: Any, seat: int) -> None:
    """``gambler.best_card``."""
    total = seats[seat, TOTAL]
    if seats[seat, ALLOWANCE] == 0:
        return
    if is_bust(total):
        mend(options, seats, cards, hands, facts, seat, 1)
        return
    if total == TARGET or seats[seat, BOARD] == PLACES:
        return
    reach(options, seats, cards, hands, facts, seat, 1)
    if facts[CHOSEN] < 0 and seats[1 - seat, STANDING]:
        breaks = has_tiebreaker(options, cards, seats, seat)
        if not beats(options, seats, cards, seat, total, breaks):
            reach(options, seats, cards, hands, facts, seat, 0)
