"""What a position teaches: the themes of a game's exercises, and which of them a decision has.

Like a reason, a theme follows from what the seat knows and from the moves alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from cardroom.rules.text import Words
from cardroom.rules.values import Event, Move, View

V = TypeVar("V", bound=View)

# From the view, the events that the seat remembers and all moves from the best to the worst.
ThemeOf: TypeAlias = Callable[[V, Sequence[Event], Sequence[Move]], str | None]


@dataclass(frozen=True)
class Theme:
    """``name`` heads a list of exercises, ``summary`` says what to look at."""

    name: Words
    summary: Words


@dataclass(frozen=True)
class Themes(Generic[V]):
    """``names`` by the slugs that are stored and sent; ``of`` gives one of them, or ``None``."""

    names: Mapping[str, Theme]
    of: "ThemeOf[V]"
