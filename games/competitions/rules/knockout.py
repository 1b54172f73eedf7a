"""Single elimination: the loser of a pairing is out, and the strongest meet last.

The bracket is filled up with byes to a power of two; they fall to the strongest. A board that stays
level after its replays is won by the better starting number.
"""

from collections.abc import Sequence
from itertools import pairwise

from games.competitions.rules.values import Board, Pairing, seated


def rounds_of(entrants: int) -> int:
    return max(1, (entrants - 1).bit_length())


def bracket(size: int) -> list[int]:
    """Starting numbers in the order of the bracket: 1 and 2 can meet in the last round only."""
    order = [1]
    while len(order) < size:
        full = 2 * len(order) + 1
        order = [number for seed in order for number in (seed, full - seed)]
    return order


def pair(entrants: Sequence[int], boards: Sequence[Board], number: int) -> list[Pairing]:
    """The pairings of a round; ``boards`` are the decided ones in the order of the bracket."""
    if number == 1:
        size = 2 ** rounds_of(len(entrants))
        slots = [entrants[at - 1] if at <= len(entrants) else None for at in bracket(size)]
    else:
        slots = [winner(board) for board in boards if board.round == number - 1]
    return [_meet(one, other, boards) for one, other in list(pairwise(slots))[::2]]


def winner(board: Board) -> int:
    """The entrant that goes on; of two that are level the one with the better starting number."""
    return min(board.entrants, key=lambda entrant: (-board.points_of(entrant), entrant))


def _meet(one: int | None, other: int | None, boards: Sequence[Board]) -> Pairing:
    if one is not None and other is not None:
        return seated(one, other, boards)
    return Pairing(one or other or 0)  # byes fall to the strongest: one of the two is there
