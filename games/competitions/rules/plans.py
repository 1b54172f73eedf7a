"""The next round of a tournament by its form, from values alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.competitions.rules import knockout, round_robin, swiss
from games.competitions.rules.standings import KNOCKOUT, ROUND_ROBIN, SWISS
from games.competitions.rules.values import Board, Pairing


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
    """How many rounds there will be; an arena has none."""
    if form == KNOCKOUT:
        return knockout.rounds_of(entrants)
    if form == ROUND_ROBIN:
        return round_robin.rounds_of(entrants)
    if form == SWISS:
        usual = swiss.usual_rounds(entrants)
        return min(wanted or usual, swiss.most_rounds(entrants))
    return None


def next_round(position: Position) -> list[Pairing]:
    """Its pairings, boards of those who went home too: their opponents win without playing."""
    everybody: Sequence[int] = range(1, position.everybody + 1)
    if position.form == KNOCKOUT:
        return knockout.pair(everybody, position.boards, position.number)
    if position.form == ROUND_ROBIN:
        return round_robin.pair(everybody, position.number)
    return swiss.pair(
        position.there, position.boards, position.number, position.rounds, position.everybody
    )
