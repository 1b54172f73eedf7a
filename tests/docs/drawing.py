"""A house as a picture: a box a room, a row a floor, a line down to each room that it imports."""

from html import escape
from itertools import pairwise

from tests.docs.house import Arrows
from tests.docs.layout import Layout, Spot

WIDE, HIGH, GAP = 136, 34, 8  # of a box; beside it
FLOOR = 78  # from one floor to the next
MARGIN = 16
COLOURS = {
    "accounts": "#b0713a",
    "cardroom": "#3b6ea5",
    "config": "#8a8f98",
    "decks": "#a8577e",
    "games": "#1f7a5c",
}
STYLE = """
  .wall { fill: #f7f5f0 }
  .room { fill: #ffffff; stroke-width: 2 }
  text { font: 13px system-ui, sans-serif; text-anchor: middle; fill: #1d2125 }
  path { fill: none; stroke: #98a1ab; stroke-width: 1.3 }
"""


def draw(house: Arrows, within: str) -> str:
    """An SVG; ``within`` is left out of the rooms' names."""
    layout = Layout(house, WIDE + 2 * GAP)
    width = layout.width + 2 * MARGIN
    height = layout.top * FLOOR + HIGH + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">',
        f"<style>{STYLE}</style>",
        f'<rect class="wall" width="{width:g}" height="{height:g}" rx="8"/>',
        *(_line(layout, way) for way in layout.ways.values()),
        *(_box(layout, room, within) for room in house),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _down(layout: Layout, spot: Spot) -> float:
    return MARGIN + (layout.top - layout.floor(spot)) * FLOOR


def _line(layout: Layout, way: "list[Spot]") -> str:
    """From the lower edge of a box through its lanes to the upper edge of the other."""
    x, y = MARGIN + layout.x[way[0]], _down(layout, way[0]) + HIGH
    parts = [f"M{x:g} {y:g}"]
    for above, below in pairwise(way):
        x, y = MARGIN + layout.x[above], _down(layout, above) + HIGH
        to_x, to_y = MARGIN + layout.x[below], _down(layout, below)
        half = (y + to_y) / 2
        parts.append(f"C{x:g} {half:g} {to_x:g} {half:g} {to_x:g} {to_y:g}")
        if below != way[-1]:
            parts.append(f"V{to_y + HIGH:g}")
    return f'<path d="{"".join(parts)}"/>'


def _box(layout: Layout, room: str, within: str) -> str:
    x, y = MARGIN + layout.x[room] - WIDE / 2, _down(layout, room)
    colour = COLOURS[room.partition(".")[0]]
    return (
        f'<rect class="room" x="{x:g}" y="{y:g}" width="{WIDE}" height="{HIGH}" rx="6"'
        f' stroke="{colour}"/>'
        f'<text x="{x + WIDE / 2:g}" y="{y + HIGH / 2 + 4:g}">'
        f"{escape(room.removeprefix(within))}</text>"
    )
