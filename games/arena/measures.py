"""What is counted in every match of a game, beside its plies and rounds.

A measure counts events of one type. Games without an entry are measured in plies and rounds;
the totals of all their events by type are kept anyway.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, get_args

from games.rules.game import AnyGame
from games.rules.values import Event

PLIES: Final = "plies"
ROUNDS: Final = "rounds"


def _every(event: Any) -> bool:  # noqa: ARG001
    return True


@dataclass(frozen=True)
class Measure:
    """Counts the events tagged ``event`` that pass ``where``; ``name`` is a plural noun."""

    name: str
    event: str
    where: Callable[[Any], bool] = _every


# A dispute of several levels is one dispute (pyanitsa R9, R11).
_MEASURES: Final[Mapping[str, tuple[Measure, ...]]] = {
    "pyanitsa": (
        Measure("tricks", "trick_taken"),
        Measure("disputes", "dispute", lambda event: event.level == 1),
    ),
    "pisti": (Measure("piştis", "pisti"),),
    "shithead": (Measure("burns", "burned"),),
}


def tag(kind: type[Event]) -> str:
    """The name of an event type as records and clients read it."""
    return str(kind.__struct_config__.tag)


@cache
def measures_of(game: AnyGame) -> dict[type[Event], Measure]:
    """The game's own measures by the type of event they count."""
    kinds = {tag(kind): kind for kind in get_args(game.events) or (game.events,)}
    return {kinds[measure.event]: measure for measure in _MEASURES.get(game.slug, ())}


def measure_names(game: AnyGame) -> tuple[str, ...]:
    """Everything that has a distribution, in the order a table shows it."""
    return (*(measure.name for measure in _MEASURES.get(game.slug, ())), ROUNDS, PLIES)


def length_of(game: AnyGame) -> str:
    """The measure that players mean by the length of a match: tricks in Pyanitsa, else plies."""
    return "tricks" if game.slug == "pyanitsa" else PLIES
