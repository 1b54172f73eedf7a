"""How the searchers' chances come true among players like ``keeper``.

``make calibration CALIBRATION="--fit shithead"`` prints these numbers.
"""

from typing import Final

from cardroom.rules.reading import Line, Reading
from cardroom.rules.shithead.view import ShitheadView

MANY: Final = 3


def stage(view: ShitheadView) -> str:
    """Two or more seats left, in the exchange or in play."""
    left = "many" if view.places.count(0) >= MANY else "two"
    return f"{left} {'exchange' if view.phase == 'exchange' else 'play'}"


READING: Final[Reading[ShitheadView]] = Reading(
    stage,
    {
        "many exchange": Line(0.43, 0.79),
        "many play": Line(0.03, 1.0),
        "two exchange": Line(-0.16, 0.35),
        "two play": Line(0.03, 0.94),
    },
)
