"""A house as a picture: a box a room, a row a floor, an arrow down where one imports another."""

from collections import defaultdict
from collections.abc import Mapping
from html import escape

from tests.docs.house import Arrows, floors, reduced

WIDE, HIGH = 140, 34  # of a box
BESIDE, BELOW = 12, 40  # between two
MARGIN = 16
COLOURS = {"config": "#8a8f98", "accounts": "#b0713a", "decks": "#a8577e", "games": "#1f7a5c"}
STYLE = """
  .wall { fill: #f7f5f0 }
  .room { fill: #ffffff; stroke-width: 2 }
  text { font: 13px system-ui, sans-serif; text-anchor: middle; fill: #1d2125 }
  path { fill: none; stroke: #9aa3ad; stroke-width: 1.2 }
"""

Places = dict[str, tuple[float, float]]
"""The upper left corner of each box."""


def draw(house: Arrows, columns: tuple[tuple[str, ...], ...], within: str = "") -> str:
    """An SVG. A column is for the rooms whose names begin with one of its words."""
    places, width, height = _places(house, columns)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">',
        f"<style>{STYLE}</style>",
        f'<rect width="{width:g}" height="{height:g}" class="wall" rx="8"/>',
        *(_arrow(places[room], places[each]) for room, each in _pairs(reduced(house))),
        *(_box(room, places[room], within) for room in house),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _pairs(house: Mapping[str, frozenset[str]]) -> list[tuple[str, str]]:
    return sorted((room, each) for room, below in house.items() for each in below)


def _places(house: Arrows, columns: tuple[tuple[str, ...], ...]) -> tuple[Places, float, float]:
    heights = floors(house)
    top, left, places = max(heights.values()), float(MARGIN), Places()
    for column in columns:
        rows = defaultdict(list)
        for room in house:
            if room.startswith(column):
                rows[heights[room]].append(room)
        most = max(map(len, rows.values()), default=0)
        for floor, row in rows.items():
            start = left + (most - len(row)) * (WIDE + BESIDE) / 2
            for number, room in enumerate(row):
                down = MARGIN + (top - floor) * (HIGH + BELOW)
                places[room] = (start + number * (WIDE + BESIDE), down)
        left += most * (WIDE + BESIDE) + BESIDE
    return places, left + MARGIN - 2 * BESIDE, (top + 1) * (HIGH + BELOW) - BELOW + 2 * MARGIN


def _arrow(above: tuple[float, float], below: tuple[float, float]) -> str:
    x, y = above[0] + WIDE / 2, above[1] + HIGH
    to_x, to_y = below[0] + WIDE / 2, below[1]
    half = (y + to_y) / 2
    return f'<path d="M{x:g} {y:g}C{x:g} {half:g} {to_x:g} {half:g} {to_x:g} {to_y:g}"/>'


def _box(room: str, place: tuple[float, float], within: str) -> str:
    x, y = place
    colour = COLOURS[room.partition(".")[0]]
    name = escape(room.removeprefix(f"{within}.") if within else room.removeprefix("games."))
    return (
        f'<rect class="room" x="{x:g}" y="{y:g}" width="{WIDE}" height="{HIGH}" rx="6"'
        f' stroke="{colour}"/>'
        f'<text x="{x + WIDE / 2:g}" y="{y + HIGH / 2 + 4:g}">{name}</text>'
    )
