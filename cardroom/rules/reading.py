"""How the chances that a search weighs come true, as ``make calibration`` finds.

A search plays on with models of the players, or looks up what weaker ones have taught it. What it
says is put right by a shift and a stretch of the log-odds, which keep the order of the moves. They
differ by the stage of a match, because what a search does not know is largely still to come.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import exp, log
from typing import Any, Final, Generic, NamedTuple, TypeVar

from cardroom.rules.values import View

V = TypeVar("V", bound=View)


class Line(NamedTuple):
    """What is added to the log-odds, after they were multiplied."""

    shift: float = 0.0
    stretch: float = 1.0

    def read(self, chance: float) -> float:
        """What is certain stays certain."""
        if not 0 < chance < 1 or self == Line():
            return chance
        return 1 / (1 + exp(-self.shift - self.stretch * log(chance / (1 - chance))))


def one_stage(_view: Any) -> str:
    return "all"


@dataclass(frozen=True, eq=False)
class Reading(Generic[V]):
    """``stage`` names the stage of a view; one that is not in ``by_stage`` reads as it is."""

    stage: Callable[[V], str] = one_stage
    by_stage: Mapping[str, Line] = field(default_factory=dict)

    def of(self, view: V) -> Line:
        return self.at(self.stage(view))

    def at(self, stage: str) -> Line:
        return self.by_stage.get(stage, Line())


AS_WEIGHED: Final[Reading[Any]] = Reading()
