"""The reliability picture: what was stated across, what came upwards, one panel a game."""

from collections.abc import Mapping, Sequence
from typing import Final

from tests.calibration.table import Tenth

SIDE: Final = 220
GAP: Final = 60
ACROSS: Final = 3  # panels of a row
HEIGHT: Final = SIDE + 70  # of a row
STYLE: Final = (
    "text{font:13px sans-serif;fill:#444}path,line,circle{stroke:#1d6b50;fill:none}"
    "circle{fill:#1d6b50}.axis{stroke:#888}.even{stroke:#888;stroke-dasharray:4 4}"
    "@media(prefers-color-scheme:dark){text{fill:#ccc}path,line,circle{stroke:#6fcf97}"
    "circle{fill:#6fcf97}.axis,.even{stroke:#777}}"
)


def draw(games: Mapping[str, Sequence[Tenth]]) -> str:
    panels = [_panel(name, rows, at) for at, (name, rows) in enumerate(games.items())]
    rows = -(-len(games) // ACROSS)
    width, height = min(ACROSS, len(games)) * (SIDE + GAP) + 10, rows * HEIGHT
    label = "Stated chances against what came of them; on the dashed line they are the same."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{label}"><style>{STYLE}</style>{"".join(panels)}</svg>\n'
    )


def _panel(name: str, rows: Sequence[Tenth], at: int) -> str:
    left, top = 45 + at % ACROSS * (SIDE + GAP), 30 + at // ACROSS * HEIGHT
    ticks = "".join(
        f'<text x="{_x(share)}" y="{SIDE + 18}" text-anchor="middle">{percent}</text>'
        f'<text x="-6" y="{_y(share) + 4}" text-anchor="end">{percent}</text>'
        for share, percent in ((0, "0"), (0.5, "50"), (1, "100 %"))
    )
    marks = "".join(
        f'<line x1="{_x(row.stated)}" x2="{_x(row.stated)}" y1="{_y(row.came - 2 * row.error)}" '
        f'y2="{_y(row.came + 2 * row.error)}"/>'
        f'<circle cx="{_x(row.stated)}" cy="{_y(row.came)}" r="4"/>'
        for row in rows
    )
    return (
        f'<g transform="translate({left} {top})"><text x="{SIDE / 2}" y="-10" text-anchor="middle">'
        f'{name}</text><path class="axis" d="M0 0V{SIDE}H{SIDE}"/>'
        f'<path class="even" d="M0 {SIDE}L{SIDE} 0"/>{ticks}{marks}</g>'
    )


def _x(share: float) -> float:
    return round(SIDE * share, 1)


def _y(share: float) -> float:
    return round(SIDE * (1 - min(1.0, max(0.0, share))), 1)
