"""What is counted in every match: what its game states, its plies and its rounds.

The totals of all events by type are kept as well.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Measure

PLIES: Final = "plies"
ROUNDS: Final = "rounds"


def tag(kind: type[Event]) -> str:
    """The name of an event type as records and clients read it."""
    return str(kind.__struct_config__.tag)


@cache
def measures_of(game: AnyGame) -> Mapping[type[Event], tuple[Measure, ...]]:
    """The game's own measures by the type of event they count."""
    counted = {measure.event for measure in game.measures}
    return {
        kind: tuple(measure for measure in game.measures if measure.event is kind)
        for kind in counted
    }


def measure_names(game: AnyGame) -> tuple[str, ...]:
    """Everything that has a distribution, in the order a table shows it."""
    return (*(measure.name for measure in game.measures), ROUNDS, PLIES)
