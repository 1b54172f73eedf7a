"""What becomes of a board, by the matches that were played at it.

A match that was called off is played again, and so is a draw where somebody has to go on, with the
seats changed each time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from games.competitions.rules.standings import KNOCKOUT
from games.competitions.rules.values import DRAW, LOSS, WIN

DRAWS: Final = 3  # in a knockout; then the better starting number goes on
CALLED_OFF: Final = 2  # then nobody has won


@dataclass(frozen=True)
class Played:
    """A match of a board; ``places`` by its seats, none while it runs or if it was called off.

    ``absent`` are the seats to which nobody came, where it was called off for that.
    """

    status: Literal["open", "active", "finished", "aborted"]
    places: tuple[int | None, ...] = ()
    absent: tuple[int, ...] = ()


@dataclass(frozen=True)
class Decision:
    """``points`` are the half points of the board's first and second."""

    points: tuple[int, int]
    result: Literal["played", "called_off", "walkover"]


Step = Decision | Literal["wait", "open"]


def next_step(form: str, matches: Sequence[Played]) -> Step:
    """What is owed to a board: its result, another match, or nothing while one runs."""
    if not matches:
        return "open"
    last = matches[-1]
    if last.status in ("open", "active"):
        return "wait"
    if last.absent:
        return _forfeit(last, len(matches))
    if last.status == "aborted":
        again = sum(match.status == "aborted" for match in matches) < CALLED_OFF
        return "open" if again else Decision((DRAW, DRAW), "called_off")
    points = _points(last, len(matches))
    draws = sum(match.status == "finished" for match in matches)
    if form == KNOCKOUT and points == (DRAW, DRAW) and draws < DRAWS:
        return "open"
    return Decision(points, "played")


def seat_of(place: int, number: int) -> int:
    """Where the board's first (0) or second (1) sits in its match of this number, from 1."""
    return (place + number - 1) % 2


def _forfeit(match: Played, number: int) -> Decision:
    """A player who did not come has lost, also against another who did not come."""
    one, other = (LOSS if seat_of(place, number) in match.absent else WIN for place in (0, 1))
    return Decision((one, other), "walkover")


def _points(match: Played, number: int) -> tuple[int, int]:
    one, other = (match.places[seat_of(place, number)] for place in (0, 1))
    if one is None or other is None:
        return DRAW, DRAW
    if one == other:
        return DRAW, DRAW
    return (WIN, LOSS) if one < other else (LOSS, WIN)
