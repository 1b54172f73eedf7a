"""What a deal is worth and when the match is decided (R22 to R28), on plain ints."""

from collections.abc import Sequence
from typing import Final

from games.rules.cards import ACE, CARD, JACK, RANK, texts
from games.rules.pisti.events import SideScore
from games.rules.pisti.options import PistiOptions
from games.rules.pisti.state import cards_of, heap_of

JACKS: Final = heap_of(card for card in range(52) if RANK[card] == JACK)
ACES: Final = heap_of(card for card in range(52) if RANK[card] == ACE)
TWO_CLUBS: Final = heap_of([CARD["2C"]])
TEN_DIAMONDS: Final = heap_of([CARD["TD"]])


def card_points(heap: int) -> int:
    """The points of single cards in a heap (R23, R24)."""
    each = ((heap & JACKS) | (heap & ACES)).bit_count()
    return each + 2 * bool(heap & TWO_CLUBS) + 3 * bool(heap & TEN_DIAMONDS)


def majority_side(counts: Sequence[int]) -> int | None:
    """The side with strictly more cards than every other (R24)."""
    most = max(counts)
    return counts.index(most) if counts.count(most) == 1 else None


def side_scores(
    options: PistiOptions,
    heaps: Sequence[int],
    pistis: Sequence[int],
    doubles: Sequence[int],
    totals: Sequence[int],
) -> tuple[SideScore, ...]:
    """Every side's deal; ``heaps`` one a side, ``totals`` those before this deal."""
    majority = majority_side([heap.bit_count() for heap in heaps])
    return tuple(
        _side_score(options, heap, pistis[side], doubles[side], totals[side], int(side == majority))
        for side, heap in enumerate(heaps)
    )


def _side_score(
    options: PistiOptions, heap: int, pistis: int, doubles: int, total: int, majority: int
) -> SideScore:
    points = (
        card_points(heap)
        + options.majority_points * majority
        + options.pisti_points * pistis
        + options.double_pisti_points * doubles
    )
    return SideScore(
        jacks=(heap & JACKS).bit_count(),
        aces=(heap & ACES).bit_count(),
        two_clubs=bool(heap & TWO_CLUBS),
        ten_diamonds=bool(heap & TEN_DIAMONDS),
        cards=heap.bit_count(),
        majority=bool(majority),
        pistis=pistis,
        doubles=doubles,
        deal_points=points,
        total=total + points,
        heap=texts(cards_of(heap)),
    )


def is_decided(totals: Sequence[int], target: int | None) -> bool:
    """Whether the match ends after this deal: one side alone in front, at the target (R27, R28)."""
    best = max(totals)
    return target is None or (best >= target and totals.count(best) == 1)


def leader(totals: Sequence[int]) -> int | None:
    best = max(totals)
    return totals.index(best) if totals.count(best) == 1 else None
