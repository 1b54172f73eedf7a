"""The places of all entrants. Standings are counted from boards and stored nowhere.

Ties are broken by the names in ``TIES``, in this order; those who are equal in all of them share a
place. A bye and a walkover count for Buchholz and Sonneborn-Berger as played against an opponent
with one's own points (FIDE C.07, article 16).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from games.competitions.rules import arena, knockout
from games.competitions.rules.values import DRAW, LOSS, WIN, Board, boards_of, scores

KNOCKOUT: Final = "knockout"
ROUND_ROBIN: Final = "round_robin"
SWISS: Final = "swiss"
ARENA: Final = "arena"
FORMS: Final = (SWISS, ROUND_ROBIN, KNOCKOUT, ARENA)

TIES: Final = {
    SWISS: ("buchholz", "sonneborn_berger", "direct", "wins"),
    ROUND_ROBIN: ("direct", "sonneborn_berger", "wins"),
    KNOCKOUT: (),
    ARENA: ("wins",),
}
"""Tie-breaks of a form. Buchholz is in half points, Sonneborn-Berger in quarters of a point."""


@dataclass(frozen=True)
class Line:
    """``points`` are half points; in an arena whole ones with streaks, in a knockout rounds."""

    entrant: int
    place: int
    points: int
    won: int
    drawn: int
    lost: int
    ties: dict[str, int] = field(default_factory=dict)


def standings(form: str, entrants: Sequence[int], boards: Sequence[Board]) -> list[Line]:
    """Everybody in order; ``boards`` as they were decided, one after the other."""
    decided = [board for board in boards if board.points is not None]
    points = points_by_form(form, entrants, decided)
    totals = scores(entrants, decided)
    ties = {entrant: _ties(form, entrant, totals, decided) for entrant in entrants}
    keys = {
        entrant: (-points[entrant], *(-value for value in ties[entrant].values()))
        for entrant in entrants
    }
    ordered = sorted(entrants, key=lambda entrant: (keys[entrant], entrant))
    lines, place = [], 1
    for _, equal in groupby(ordered, key=lambda entrant: keys[entrant]):
        group = list(equal)
        lines += [_line(one, place, points[one], ties[one], decided) for one in group]
        place += len(group)
    return lines


def points_by_form(form: str, entrants: Sequence[int], boards: Sequence[Board]) -> dict[int, int]:
    """What decides first: half points, points with streaks, or the rounds that one came through."""
    if form == ARENA:
        return {entrant: arena.points_of(entrant, boards) for entrant in entrants}
    if form == KNOCKOUT:
        won = [(knockout.winner(board), board) for board in boards]
        through = [one for one, board in won if board.points_of(one) > LOSS]
        return {entrant: through.count(entrant) for entrant in entrants}
    return scores(entrants, boards)


def buchholz(entrant: int, totals: dict[int, int], boards: Sequence[Board]) -> int:
    """The half points of all whom one met."""
    return sum(totals[_opponent(entrant, board)] for board in boards_of(entrant, boards))


def sonneborn_berger(entrant: int, totals: dict[int, int], boards: Sequence[Board]) -> int:
    """The points of those whom one beat and half those of whom one drew with, in quarters."""
    return sum(
        board.points_of(entrant) * totals[_opponent(entrant, board)]
        for board in boards_of(entrant, boards)
    )


def direct(entrant: int, totals: dict[int, int], boards: Sequence[Board]) -> int:
    """Half points against those with as many points; nothing unless all of them met each other."""
    level = {one for one, points in totals.items() if points == totals[entrant]}
    among = [board for board in boards if len(level & set(board.entrants)) == 2]
    met = {frozenset(board.entrants) for board in among}
    if len(met) < len(level) * (len(level) - 1) // 2:
        return 0
    return sum(board.points_of(entrant) for board in boards_of(entrant, among))


def wins(entrant: int, _totals: dict[int, int], boards: Sequence[Board]) -> int:
    """Boards that were won by playing."""
    return _count(entrant, boards, WIN)


_VALUES: Final[dict[str, Callable[[int, dict[int, int], Sequence[Board]], int]]] = {
    "buchholz": buchholz,
    "sonneborn_berger": sonneborn_berger,
    "direct": direct,
    "wins": wins,
}


def _opponent(entrant: int, board: Board) -> int:
    """Of an unplayed board somebody with one's own points: oneself."""
    other = board.other(entrant)
    return entrant if other is None or not board.played else other


def _ties(
    form: str, entrant: int, totals: dict[int, int], boards: Sequence[Board]
) -> dict[str, int]:
    return {name: _VALUES[name](entrant, totals, boards) for name in TIES[form]}


def _line(
    entrant: int, place: int, points: int, ties: dict[str, int], boards: Sequence[Board]
) -> Line:
    won, drawn, lost = (_count(entrant, boards, result) for result in (WIN, DRAW, LOSS))
    return Line(entrant, place, points, won, drawn, lost, ties)


def _count(entrant: int, boards: Sequence[Board], points: int) -> int:
    own = boards_of(entrant, boards)
    return sum(board.played and board.points_of(entrant) == points for board in own)
