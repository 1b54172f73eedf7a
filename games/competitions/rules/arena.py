"""An arena: so many minutes, in which each free player is paired at once with one of a near place.

A win is 2 points and a draw 1. After two wins in a row one is on a streak: each board counts twice
until one does not win.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from games.competitions.rules.values import WIN, Board, Pairing, boards_of, seated

STREAK: Final = 2  # wins before boards count twice
PATIENCE: Final = 10.0  # seconds until the one whom one met last is better than nobody


@dataclass(frozen=True)
class Free:
    """Somebody who can play now; ``waited`` are seconds."""

    entrant: int
    waited: float


def points_of(entrant: int, boards: Iterable[Board]) -> int:
    """The points of an entrant; ``boards`` are in the order in which they were decided."""
    total = row = 0
    for board in boards_of(entrant, boards):
        own = board.points_of(entrant)
        total += own * (2 if row >= STREAK else 1)
        row = row + 1 if own == WIN else 0
    return total


def is_on_streak(entrant: int, boards: Iterable[Board]) -> bool:
    last = [board.points_of(entrant) for board in boards_of(entrant, boards)][-STREAK:]
    return last == [WIN] * STREAK


def pair(free: Iterable[Free], boards: Sequence[Board]) -> list[Pairing]:
    """Those next to each other in points; two who have just met only if both have waited."""
    left = sorted(free, key=lambda one: (-points_of(one.entrant, boards), one.entrant))
    last = {one.entrant: _last_opponent(one.entrant, boards) for one in left}
    pairings = []
    while left:
        one = left.pop(0)
        other = next((each for each in left if _may_meet(one, each, last)), None)
        if other is not None:
            left.remove(other)
            pairings.append(seated(one.entrant, other.entrant, boards))
    return pairings


def _last_opponent(entrant: int, boards: Sequence[Board]) -> int | None:
    own = boards_of(entrant, boards)
    return own[-1].other(entrant) if own else None


def _may_meet(one: Free, other: Free, last: dict[int, int | None]) -> bool:
    just_met = last[one.entrant] == other.entrant or last[other.entrant] == one.entrant
    return not just_met or min(one.waited, other.waited) >= PATIENCE
