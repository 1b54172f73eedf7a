"""A bot: a named strategy, and the one that every game has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Literal, TypeVar

from games.rules.values import Event, Move, View

V = TypeVar("V", bound=View)


@dataclass(frozen=True)
class Bot(Generic[V]):
    """A named strategy: a pure choice from what its seat knows.

    ``choose(view, events, rng)`` gets the seat's view, the events so far as that seat saw them
    (as far back as ``remembers`` says: ``"nothing"``, ``"round"`` or ``"match"``) and a random
    generator; it returns one of the legal moves (or one equivalent to it).

    A bot that often thinks longer than a few milliseconds says that it is ``"slow"``: services
    keep its turns from holding up the others'. ``seconds`` is its budget for one move.
    """

    slug: str
    name: str
    summary: str
    level: int
    choose: Callable[[V, Sequence[Event], Random], Move]
    rated: bool = True
    remembers: str = "nothing"
    cost: Literal["quick", "slow"] = "quick"
    seconds: float = 0.5


def random_move(view: View, events: Sequence[Event], rng: Random) -> Move:  # noqa: ARG001
    return rng.choice(view.legal_moves)


RANDOM: Bot[Any] = Bot(  # it fits every game's view
    slug="random",
    name="Random",
    summary="Plays any legal move.",
    level=1,
    choose=random_move,
)
