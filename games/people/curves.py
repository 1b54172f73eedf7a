"""How a person's rating in a game went. An app that rates people declares ``rating_curves`` on its
``AppConfig``: a function from an account's id to these.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from config.offers import offered


class Point(NamedTuple):
    """A rating, and when it became so."""

    at: datetime
    rating: float


class Curve(NamedTuple):
    """``points`` in the order of time, one at least; ``deviation`` of the last, if it is known.

    ``pace``, ``sides`` and ``opponents`` say what of the game is rated, where it is rated apart.
    """

    game: str
    points: Sequence[Point]
    deviation: float | None = None
    pace: str = ""
    sides: str = ""
    opponents: str = ""
    is_provisional: bool = False
    matches: int | None = None


def curves_of(account: UUID) -> list[Curve]:
    return [curve for function in offered("rating_curves") for curve in function(account)]
