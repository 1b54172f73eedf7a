"""The signs that people say at a table: drawn, as a system without the font shows a box instead."""

from typing import Final

SKIN, DARK, GOLD, WATER, CUP = "#f0bd84", "#4a2f1f", "#ffd66b", "#3f8fd0", "#c2453d"


def _path(fill: str, data: str) -> str:
    return f'<path fill="{fill}" d="{data}"/>'


def _line(data: str, width: float = 2.2, colour: str = DARK) -> str:
    return (
        f'<path fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round" '
        f'stroke-linejoin="round" d="{data}"/>'
    )


def _dot(x: float, y: float, radius: float, fill: str = DARK) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}"/>'


def _face(*parts: str) -> str:
    return _dot(16, 16, 13.5, GOLD) + "".join(parts)


def _hand(turn: str) -> str:
    """A flat hand that points up."""
    palm = (
        "M8 17V9C8 6.6 11.2 6.6 11.2 9V6.6C11.2 4.2 14.6 4.2 14.6 6.6V6C14.6 3.6 18 3.6 18 6V8"
        "C18 5.8 21 5.8 21 8V17.5L22.6 14.6C23.8 12.6 26.8 13.8 26 16.2L22.4 24C21 27 19 28.5 15.5 "
        "28.5S8 26 8 20Z"
    )
    return (
        f'<g transform="{turn}">{_path(SKIN, palm)}{_line("M11.2 9V15M14.6 7V15M18 8V15", 1)}</g>'
    )


SIGNS: Final = {
    "thumbs_up": (
        _path("#2f6fa8", "M3 15H9V28H3Z")
        + _path(
            SKIN,
            "M9 27V16L14.5 5.5C15.5 3 19.5 3.8 19.2 7L18.4 12.5H26C29 12.5 29.8 15 29 17L26.4 25.4"
            "C25.8 27.4 24.6 28 22.6 28H12Z",
        )
        + _line("M20 17.4H28M20 21.2H27M19.6 25H25.6", 1.1)
    ),
    "applause": (
        _hand("translate(-1 3) rotate(-16 16 16) scale(.82)")
        + _hand("translate(34 4) scale(-.82 .82) rotate(-16 16 16)")
        + _line("M16 1V4.4M9.4 2.4L11 5.2M22.6 2.4L21 5.2", 1.8, "#c8932b")
    ),
    "smile": _face(_dot(11.5, 13.5, 1.9), _dot(20.5, 13.5, 1.9), _line("M9.8 19C12.6 23.6 19.4 23.6 22.2 19")),
    "astonished": _face(
        _dot(11.2, 13, 2), _dot(20.8, 13, 2), _line("M8.8 8.8L12 7.8M23.2 8.8L20 7.8", 1.6),
        '<ellipse cx="16" cy="22" rx="3.4" ry="4.2" fill="' + DARK + '"/>',
    ),
    "tears": _face(
        _line("M9.4 13.4C10.4 14.6 12.6 14.6 13.6 13.4M18.4 13.4C19.4 14.6 21.6 14.6 22.6 13.4", 1.9),
        _line("M11.4 24C13.4 20.8 18.6 20.8 20.6 24"),
        _path(WATER, "M23.4 15.4C26 19 27 20.4 27 22.4A3.6 3.6 0 0 1 19.8 22.4C19.8 20.4 20.8 19 23.4 15.4Z"),
    ),
    "coffee": (
        _path(CUP, "M5 13H23V21C23 25.4 20 28 16 28H12C8 28 5 25.4 5 21Z")
        + _line("M23 15.6H25.6C29.4 15.6 29.4 22.4 25.4 22.4H23", 2.2, CUP)
        + _line("M10.4 9.6C8.8 7.6 12 6.4 10.4 4M16.4 9.6C14.8 7.6 18 6.4 16.4 4", 1.8, "#9a958c")
    ),
}  # fmt: skip


def sprite() -> str:
    drawn = [
        f'<symbol id="{name}" viewBox="0 0 32 32">{parts}</symbol>' for name, parts in SIGNS.items()
    ]
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(drawn) + "\n</svg>\n"
