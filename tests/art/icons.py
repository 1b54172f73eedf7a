"""The icons of an app that phones cut to their own shape: the picture within the safe circle.

``python -m tests.art.icons`` draws them from ``favicon.svg``.
"""

import re
from pathlib import Path

import resvg_py

PICTURES = Path(__file__).resolve().parents[2] / "games" / "static" / "games" / "img"
FELT = "#1f5a45"
SIZES = (192, 512)


def maskable() -> str:
    """The cards of the icon, at the size that a circle of four fifths leaves, on felt to the edge."""
    cards = re.sub(
        r"</?svg[^>]*>|<rect width=\"32\"[^>]*/>", "", (PICTURES / "favicon.svg").read_text()
    )
    inner = f'<g transform="translate(4 4) scale(.75)">{cards}</g>'
    ground = f'<rect width="32" height="32" fill="{FELT}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{ground}{inner}</svg>'


def draw() -> None:
    for size in SIZES:
        picture = bytes(resvg_py.svg_to_bytes(svg_string=maskable(), width=size, height=size))
        (PICTURES / f"maskable-{size}.png").write_bytes(picture)


if __name__ == "__main__":
    draw()
