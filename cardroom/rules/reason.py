"""Why a move is as good as it is, as facts: a kind, and the numbers and cards that go with it.

A game says which facts its seat could know (``Reasons.of``) and how they read (``Reasons.words``).
The facts are stored and sent; the words are made where they are shown.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeAlias, TypeVar

import msgspec

from cardroom.rules.text import Words
from cardroom.rules.values import Event, Move, View

V = TypeVar("V", bound=View)


class Reason(msgspec.Struct, frozen=True):
    """``kind`` names a sentence of the game; a number called ``percent`` is of possible worlds."""

    kind: str
    values: dict[str, int | str]


ReasonsOf: TypeAlias = Callable[[V, Sequence[Event], Random, Sequence[Move]], Mapping[Move, Reason]]


@dataclass(frozen=True)
class Reasons(Generic[V]):
    """``of`` gives a reason to those of the moves that have one, from what the seat knows alone."""

    of: "ReasonsOf[V]"
    words: Callable[[Reason], Words]


def percent(part: float, whole: float) -> int:
    return round(100 * part / whole) if whole else 0
