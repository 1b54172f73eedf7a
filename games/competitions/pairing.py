"""The next round of a tournament by its form, from values alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from games.competitions import rules
from games.competitions.rules import KNOCKOUT, ROUND_ROBIN, SWISS, Board, Pairing, scores, seated

# Swiss: so many rounds, each against somebody of about the same points, nobody twice.
#
# Pairings are those of the FIDE Dutch system (``dutch``): no rematch, one bye at most, seats
# balanced as colours are. Where it finds no pairing at all, since too few are left who have not
# met, a matching of least weight allows what has to be allowed, a rematch last of all.
#
# The libraries that pair are imported when a round is paired: they take longer to load than all
# the rest of the tournaments, and every process would wait for them.

NOBODY: Final = 0  # whom one meets who has a bye
REMATCH: Final = 10**9
SECOND_BYE: Final = 10**6


def usual_swiss_rounds(entrants: int) -> int:
    """So many that one is first alone as a rule: one more than single elimination has."""
    return min(max(1, (entrants - 1).bit_length() + 1), most_swiss_rounds(entrants))


def most_swiss_rounds(entrants: int) -> int:
    """More cannot be played without a rematch or a second bye."""
    return entrants - 1 + entrants % 2


def pair_swiss(
    entrants: Sequence[int], boards: Sequence[Board], number: int, rounds: int, everybody: int
) -> list[Pairing]:
    """The pairings of a round for ``entrants``, of ``everybody`` who ever took part."""
    if len(entrants) < 2:
        return [Pairing(entrant) for entrant in entrants]

    from games.competitions import dutch

    paired = dutch.pair_dutch(entrants, boards, number, rounds, everybody)
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


@dataclass(frozen=True)
class Position:
    """``everybody`` has a starting number, 1 to as many; ``there`` are those who still play.

    ``boards`` are decided, in the order of rounds and numbers; ``number`` is the round to pair.
    """

    form: str
    number: int
    rounds: int
    everybody: int
    there: tuple[int, ...]
    boards: tuple[Board, ...]


def rounds_of(form: str, entrants: int, wanted: int | None) -> int | None:
    """The number of rounds; an arena has none."""
    if form == KNOCKOUT:
        return rules.knockout_rounds(entrants)
    if form == ROUND_ROBIN:
        return rules.round_robin_rounds(entrants)
    if form == SWISS:
        usual = usual_swiss_rounds(entrants)
        return min(wanted or usual, most_swiss_rounds(entrants))
    return None


def next_round(position: Position) -> list[Pairing]:
    """Its pairings, boards of those who went home too: their opponents win without playing."""
    everybody: Sequence[int] = range(1, position.everybody + 1)
    if position.form == KNOCKOUT:
        return rules.pair_knockout(everybody, position.boards, position.number)
    if position.form == ROUND_ROBIN:
        return rules.pair_round_robin(everybody, position.number)
    return pair_swiss(
        position.there, position.boards, position.number, position.rounds, position.everybody
    )
