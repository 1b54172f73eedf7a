"""A rating over time as the coordinates of an SVG that the page draws."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from cardroom.rules.text import Words
from games.language import words
from games.people.curves import Curve, Point
from games.ratings.boards import COMPUTERS, MORE, OPPONENTS, PACES, SIDES

WIDTH: Final = 600
HEIGHT: Final = 150
MOST_POINTS: Final = 240
NARROWEST: Final = 50.0  # a smaller change is not drawn larger than it is


@dataclass(frozen=True)
class DrawnCurve:
    """``points`` are those of a polyline; ``high`` and ``low`` are the ends of the scale."""

    game: str
    points: str
    high: int
    low: int
    rating: int
    deviation: int | None
    first: datetime
    last: datetime
    title: str
    points_of_table: list[Point]
    is_provisional: bool
    width: int = WIDTH
    height: int = HEIGHT


def _title(curve: Curve) -> str:
    """What of a game is rated: *Normal · Against computers*; what is usual is not named."""
    names: list[Words] = [PACES[curve.pace]] if curve.pace else []
    if curve.sides == MORE:
        names.append(SIDES[MORE])
    if curve.opponents == COMPUTERS:
        names.append(OPPONENTS[COMPUTERS])
    return " · ".join(map(words, names))


def drawn(curve: Curve) -> DrawnCurve:
    step = -(-len(curve.points) // MOST_POINTS)
    kept = [*curve.points[:-1:step], curve.points[-1]]
    begun, ended = kept[0].at, kept[-1].at
    ratings = [point.rating for point in kept]
    room = max(NARROWEST, max(ratings) - min(ratings))
    middle = (max(ratings) + min(ratings)) / 2
    low = middle - room / 2
    seconds = (ended - begun).total_seconds() or 1.0
    points = [
        (
            WIDTH * (point.at - begun).total_seconds() / seconds if ended > begun else WIDTH,
            HEIGHT * (1 - (point.rating - low) / room),
        )
        for point in kept
    ]
    if len(points) == 1:
        points = [(0.0, points[0][1]), *points]
    return DrawnCurve(
        game=curve.game,
        points=" ".join(f"{x:.0f},{y:.0f}" for x, y in points),
        high=round(low + room),
        low=round(low),
        rating=round(kept[-1].rating),
        deviation=None if curve.deviation is None else round(curve.deviation),
        first=begun,
        last=ended,
        title=_title(curve),
        points_of_table=list(reversed(kept)),
        is_provisional=curve.is_provisional,
    )
