"""Swiss: so many rounds, each against somebody of about the same points, nobody twice.

Pairings are those of the FIDE Dutch system (``dutch``): no rematch, one bye at most, seats balanced
as colours are. Where it finds no pairing at all, since too few are left who have not met, a
matching of least weight allows what has to be allowed, a rematch last of all.

The libraries that pair are imported when a round is paired: they take longer to load than all the
rest of the tournaments, and every process would wait for them.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from games.competitions.rules.values import Board, Pairing, scores, seated

NOBODY: Final = 0  # whom one meets who has a bye
REMATCH: Final = 10**9
SECOND_BYE: Final = 10**6


def usual_rounds(entrants: int) -> int:
    """So many that one is first alone as a rule: one more than single elimination has."""
    return min(max(1, (entrants - 1).bit_length() + 1), most_rounds(entrants))


def most_rounds(entrants: int) -> int:
    """More cannot be played without a rematch or a second bye."""
    return entrants - 1 + entrants % 2


def pair(
    entrants: Sequence[int], boards: Sequence[Board], number: int, rounds: int, everybody: int
) -> list[Pairing]:
    """The pairings of a round for ``entrants``, of ``everybody`` who ever took part."""
    if len(entrants) < 2:
        return [Pairing(entrant) for entrant in entrants]
    from games.competitions.rules import dutch

    paired = dutch.pair(entrants, boards, number, rounds, everybody)
    return _of_least_weight(entrants, boards) if paired is None else paired


def _of_least_weight(entrants: Sequence[int], boards: Sequence[Board]) -> list[Pairing]:
    """Rematches cost most, then second byes, then the distance in points."""
    import networkx

    points = scores(entrants, _among(entrants, boards))
    met = {frozenset(board.entrants) for board in boards if not board.is_bye}
    had_bye = {board.first for board in boards if board.is_bye}
    graph = networkx.Graph()
    for one, other in combinations(sorted(entrants), 2):
        weight = (points[one] - points[other]) ** 2
        graph.add_edge(one, other, weight=weight + REMATCH * (frozenset((one, other)) in met))
    if len(entrants) % 2:
        for entrant in entrants:
            weight = points[entrant] ** 2 + SECOND_BYE * (entrant in had_bye)
            graph.add_edge(entrant, NOBODY, weight=weight)
    pairs = networkx.min_weight_matching(graph)
    return sorted((_seated(pair, boards) for pair in pairs), key=lambda each: min(each.entrants))


def _among(entrants: Sequence[int], boards: Sequence[Board]) -> list[Board]:
    """The boards as those of these entrants alone, for their points."""
    there = set(entrants)
    return [
        Board(entrant, None, board.round, (board.points_of(entrant), 0))
        for board in boards
        for entrant in board.entrants
        if entrant in there
    ]


def _seated(pair: tuple[int, int], boards: Sequence[Board]) -> Pairing:
    one, other = pair
    if NOBODY in pair:
        return Pairing(max(pair))
    return seated(one, other, boards)
