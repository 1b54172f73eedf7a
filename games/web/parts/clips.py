"""The best moment of a match as a small picture that moves: some cards lie there, others fly in."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgspec

from cardroom.rules.values import Event, Seat
from games.web.parts.motions import Effect

MOST_LYING: Final = 4

Ply: TypeAlias = tuple[int, Sequence[Event]]  # a version and what everybody knows of its ply


class Clip(msgspec.Struct, frozen=True):
    """``version``: the ply to replay. A number may go from ``before`` to ``after``.

    ``are_faces``: the cards are playing cards; others are drawn by the game's ``card.html``.
    """

    version: int
    seat: Seat
    lying: tuple[str, ...] = ()
    flying: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    effect: Effect = ""
    sentence: str = ""
    are_faces: bool = True


@dataclass(frozen=True)
class Candidate:
    """``weight`` says how good the moment is, ``event`` tells it."""

    weight: tuple[int, ...]
    event: Event
    clip: Clip


BestOf: TypeAlias = Callable[[Iterable[Ply]], Iterable[Candidate]]


def best(candidates: Iterable[Candidate]) -> Candidate | None:
    """The first of the best."""
    return max(candidates, key=lambda each: each.weight, default=None)


def clip_of(kept: Any) -> Clip | None:
    return msgspec.convert(kept, Clip) if kept else None
