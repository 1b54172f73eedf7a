"""How luck falls in a game, for those who take it out of a result (``cardroom.arena.luck``).

At a step of chance the cards that nobody has seen yet might have lain otherwise. ``worth`` values
what came of it and what could have come of it instead. Whatever ``worth`` says, the difference is
nothing in the mean; the better it foresees the result, the more luck it takes out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeAlias, TypeVar

from cardroom.rules.values import Move, Seat, State

S = TypeVar("S", bound=State)

Weighted: TypeAlias = tuple[float, S]


Added: TypeAlias = Callable[
    [S | None, S, Seat, Move, Sequence[str], Random], Sequence[float] | None
]


@dataclass(frozen=True)
class Chances(Generic[S]):
    """``falls``: whether a move brings unseen cards. It must follow from what has happened so far.

    ``again`` lays every card that nobody has seen in a new random order. ``each`` lists all that
    can fall with this move with its chance, where that is few: states before it; empty elsewhere.
    ``worth`` is the chance of each side to win, as a guess. With ``plays_on`` the players of the
    match play on until luck falls again before it is asked.

    ``added`` is a quicker way to the same end where a game has one: by side, what has fallen is
    worth above the mean of what could have. It takes the state before the move (``None`` at the
    start) and the one after it, the seat, the move and the slugs of the bots, by seat; it answers
    ``None`` where ``worth`` must say it.
    """

    falls: Callable[[S, Seat, Move], bool]
    again: Callable[[S, Random], S]
    worth: Callable[[S], Sequence[float]]
    each: Callable[[S, Seat, Move], Sequence[Weighted[S]]]
    plays_on: bool = False
    added: "Added[S] | None" = None


def nothing_listed(_state: S, _seat: Seat, _move: Move) -> Sequence[Weighted[S]]:
    return ()
