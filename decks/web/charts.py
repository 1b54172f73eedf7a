"""Figures as the coordinates of plain SVG: pages may hold no styles of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from cardroom.arena.statistics import Interval
from decks.repertoire import Total

STEP: Final = 40
TALLEST: Final = 80
FLOOR: Final = 100
MIDDLE_GAP: Final = 24  # where 20 is, which needs no card


@dataclass(frozen=True)
class Bar:
    total: Total
    x: int
    y: int
    height: int

    @property
    def middle(self) -> int:
        return self.x + STEP // 2

    @property
    def above(self) -> int:
        return self.y - 5


class Rate(NamedTuple):
    """In percent, and where that is on a scale of 300."""

    percent: float
    low: float
    high: float
    left: int
    width: int
    at: int


def bars(totals: Sequence[Total]) -> list[Bar]:
    most = max(1, *(total.cards for total in totals))
    return [
        Bar(total, place * STEP + MIDDLE_GAP * total.is_bust, FLOOR - height, height)
        for place, total in enumerate(totals)
        for height in [total.cards * TALLEST // most]
    ]


def rate(share: Interval) -> Rate:
    left, right = round(300 * share.low), round(300 * share.high)
    return Rate(
        percent=100 * share.value,
        low=100 * share.low,
        high=100 * share.high,
        left=left,
        width=max(2, right - left),
        at=round(300 * share.value),
    )
