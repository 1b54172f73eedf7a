"""What pairings and standings are made of."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

WIN: Final = 2  # half points
DRAW: Final = 1
LOSS: Final = 0


@dataclass(frozen=True)
class Pairing:
    """Two who meet: ``first`` has seat 0. Without ``second`` it is a bye."""

    first: int
    second: int | None = None

    @property
    def entrants(self) -> tuple[int, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)


@dataclass(frozen=True)
class Board(Pairing):
    """A pairing of a round; ``points`` are each one's half points, none while it is undecided.

    ``played``: a match decided it. A bye, a walkover and a match that was called off are not.
    """

    round: int = 1
    points: tuple[int, int] | None = None
    played: bool = True

    @property
    def is_bye(self) -> bool:
        return self.second is None

    def other(self, entrant: int) -> int | None:
        return self.second if entrant == self.first else self.first

    def points_of(self, entrant: int) -> int:
        if self.points is None:
            return LOSS
        return self.points[0] if entrant == self.first else self.points[1]


def boards_of(entrant: int, boards: Iterable[Board]) -> list[Board]:
    return [board for board in boards if entrant in board.entrants]


def scores(entrants: Iterable[int], boards: Iterable[Board]) -> dict[int, int]:
    """The half points of each."""
    points = dict.fromkeys(entrants, 0)
    for board in boards:
        for entrant in board.entrants:
            points[entrant] += board.points_of(entrant)
    return points


def seated(one: int, other: int, boards: Sequence[Board]) -> Pairing:
    """Seat 0 is for the one who had it less often, then for the one who had seat 1 last."""
    firsts = Counter(board.first for board in boards if not board.is_bye)
    seconds = Counter(board.second for board in boards if not board.is_bye)
    last = {entrant: board.first == entrant for board in boards if not board.is_bye
            for entrant in board.entrants}  # fmt: skip

    def claim(entrant: int) -> tuple[int, bool, int]:
        return firsts[entrant] - seconds[entrant], last.get(entrant, False), entrant

    return Pairing(*sorted((one, other), key=claim))
