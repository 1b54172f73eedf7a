"""Faces at the seats, in a square of 48: parts of people, and one whole face for each computer.

`games/templatetags/faces.py` chooses a person's parts by the name. Skin, hair and clothes are colours
of the page (`--skin`, `--hair`, `--cloth`); a computer brings its own.
"""

from typing import Final

INK: Final = "#231a17"
_HEAD: Final = "M14 21C14 13.5 18 10 24 10S34 13.5 34 21V25C34 32 29.5 36 24 36S14 32 14 25Z"
_SHOULDERS: Final = "M3 48C3 39.5 13 36.5 24 36.5S45 39.5 45 48Z"


def _fill(colour: str, path: str) -> str:
    return f'<path fill="{colour}" d="{path}"/>'


def _line(path: str, colour: str = INK, width: float = 1.8) -> str:
    return (
        f'<path fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round" '
        f'stroke-linejoin="round" d="{path}"/>'
    )


def _dot(x: float, y: float, r: float, colour: str = INK) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{colour}"/>'


HAIR, CLOTH, SKIN = "var(--hair)", "var(--cloth)", "var(--skin)"

PARTS: Final = {
    "body": _fill(CLOTH, _SHOULDERS)
    + _fill(SKIN, "M20 30H28V37C28 40.5 20 40.5 20 37Z")
    + _fill(SKIN, _HEAD),
    # behind the head
    "back-1": _fill(HAIR, "M24 6C35 6 38 14 38 22V37C38 40 34 41 32 40H16C14 41 10 40 10 37V22C10"
                    " 14 13 6 24 6Z"),
    "back-2": "".join(_dot(x, y, r, HAIR) for x, y, r in (
        (12, 16, 6), (17, 9, 6), (24, 7, 6.5), (31, 9, 6), (36, 16, 6), (37, 24, 5), (11, 24, 5))),
    "back-3": _dot(24, 5.5, 5, HAIR) + _fill(HAIR, "M12 22C12 11 17 7 24 7S36 11 36 22L34 26H14Z"),
    # before it
    "hair-0": _fill(HAIR, "M12.5 22C11 10 17 6 24 6S37 10 35.5 22C34 17 31 15.5 24 15.5S14 17 12.5"
                    " 22Z"),
    "hair-1": _fill(HAIR, "M12.5 23C10.5 11 16 6 25 6 33 5 37.5 11 35.5 23 34.5 18 31 14 21 14.5 17"
                    " 15 14 17 12.5 23Z"),
    "hair-2": _fill(HAIR, "M12.8 21C13 12 17 8 24 9 20 12 17 14 12.8 21ZM35.2 21C35 12 31 8 24 9 28"
                    " 12 31 14 35.2 21Z"),
    "hair-3": _fill(HAIR, "M13 20C13 12 17 8 24 8S35 12 35 20L30 15 27 19 23 15 19 19 16 16Z"),
    "hair-4": _fill(HAIR, "M12.5 24C11.5 19 12 16 14 14L15 22ZM35.5 24C36.5 19 36 16 34 14L33 22Z"),
    # eyes and mouth
    "look-0": _dot(19.8, 23, 1.5) + _dot(28.2, 23, 1.5) + _line("M20.8 29.4Q24 31.8 27.2 29.4"),
    "look-1": _dot(19.8, 23.4, 1.5) + _dot(28.2, 23.4, 1.5)
    + _line("M17.6 20.2Q19.6 18.8 21.6 19.8M26.4 19.8Q28.4 18.8 30.4 20.2", INK, 1.4)
    + _line("M21 29.8H27"),
    "look-2": _line("M17.8 23.6Q19.8 21.6 21.8 23.6M26.2 23.6Q28.2 21.6 30.2 23.6")
    + _fill("#fff", "M20 28.2H28C28 31 26 32.4 24 32.4S20 31 20 28.2Z"),
    "look-3": _dot(19.8, 23, 1.5) + _line("M26.2 23H30.2") + _line("M21 29.6Q25 31.8 27.6 28.8"),
    # what somebody wears
    "wears-1": _line("M15.4 23A4.2 4.2 0 0 1 23 23 4.2 4.2 0 0 1 15.4 23ZM25 23A4.2 4.2 0 0 1 32.6 23 4.2"
                     " 4.2 0 0 1 25 23ZM23 22.4H25", INK, 1.3),
    "wears-2": _fill(HAIR, "M14 24C15 29 18 27 24 27.4 30 27 33 29 34 24V26C34 33 29.5 38 24 38S14 33 14 26Z")
    + _line("M21.4 30.6H26.6", "#fff", 1.5),
    "wears-3": _fill(HAIR, "M18 28.4C20 25.8 23 26 24 27.2 25 26 28 25.8 30 28.4 28 29.6 25 29.4 24 28.6 23"
                     " 29.4 20 29.6 18 28.4Z"),
    "wears-4": _fill(CLOTH, "M12 18C12 9 17 5 24 5S36 9 36 18Z") + _fill("#00000030", "M12 18H42C42 20.5 38 21 36"
                                                                        " 20.6H12Z")
    + _fill(CLOTH, "M30 17H42C42 19.4 37 19.6 30 19.4Z"),
    "wears-5": _dot(13.4, 29, 1.7, "#e3a93c") + _dot(34.6, 29, 1.7, "#e3a93c"),
    "wears-6": _fill(CLOTH, "M12.6 19C14 15 18 13.6 24 13.6S34 15 35.4 19L35 21C31 17.6 17 17.6 13 21Z"),
}  # fmt: skip


def _robot(metal: str, shade: str, face: str, top: str) -> str:
    """A computer: metal head and shoulders, a dark screen with a face on it, something on top."""
    return (
        top
        + _fill(shade, "M6 48C6 41 12 38.5 24 38.5S42 41 42 48Z")
        + _fill(shade, "M8 22H12V31H8ZM36 22H40V31H36Z")
        + f'<rect x="10.5" y="12" width="27" height="26" rx="7.5" fill="{metal}"/>'
        + '<rect x="14" y="17" width="20" height="16" rx="5" fill="#1d2430"/>'
        + face
    )


def _eyes(colour: str, r: float = 2.3) -> str:
    return _dot(19.6, 24, r, colour) + _dot(28.4, 24, r, colour)


def _antenna(colour: str) -> str:
    return _line("M24 12V6.5", "#8a93a3", 2) + _dot(24, 5.2, 2.6, colour)


_GLOW: Final = "#8ff0c8"
_GOLD: Final = "#f2c14e"
_SMILE: Final = _line("M20.6 29Q24 31.2 27.4 29", _GLOW, 1.6)

COMPUTERS: Final = {
    "beginner": _robot("#9fd08a", "#5f8f55", _eyes("#d9ffe0") + _line("M20.6 29Q24 31 27.4 29", "#d9ffe0", 1.6),
                       _line("M24 12V8", "#5f8f55", 2) + _fill("#5fae4d", "M24 8C18 8 16 5 16 2 21 2 24 4 24 8Z"
                             "M24 8C30 8 32 5 32 2 27 2 24 4 24 8Z")),
    "rookie": _robot("#f0a35e", "#b06a2c", _eyes(_GLOW) + _SMILE,
                     _fill("#d1483f", "M13 13C13 7 18 5 24 5S35 7 35 13Z") + _fill("#f6d36b", "M20 5H28L27 13H21Z")
                     + _line("M14 3.4Q19 1.4 24 3.4 29 5.4 34 3.4", "#3d5a80", 2)),
    "greedy": _robot("#e2b04a", "#a4741c", _dot(19.6, 24, 3.4, _GOLD) + _dot(28.4, 24, 3.4, _GOLD)
                     + _line("M19.6 22.4V25.6M28.4 22.4V25.6", "#8a5c0c", 1.4) + _line("M19.6 30H28.4", _GOLD, 1.6),
                     _fill("#6b4b12", "M16 12 18 7H30L32 12Z") + _line("M20 6.8Q24 2.4 28 6.8", "#6b4b12", 2)),
    "counter": _robot("#7fa8c9", "#4a708f", _line("M17.6 22.4H21.6M19.6 20.4V24.4M26.4 24.4 30.4 20.4M26.4 20.4 30.4"
                      " 24.4", _GLOW, 1.7) + _line("M20 29.4H28", _GLOW, 1.6),
                      _fill("#2f8f5b", "M8 14C12 9 18 8 24 8S36 9 40 14L37 16.6H11Z")),
    "searcher": _robot("#b3a1d6", "#6d5a99", _dot(24, 24.6, 6.2, "#6fd3ff") + _dot(24, 24.6, 3, "#12303f")
                       + _dot(25.4, 23, 1.1, "#fff"), _antenna("#6fd3ff")),
    "strong_searcher": _robot("#8d7cc0", "#4b3d7a", _dot(19.4, 24.6, 4.2, "#6fd3ff") + _dot(28.6, 24.6, 4.2, "#6fd3ff")
                              + _dot(19.4, 24.6, 1.8, "#12303f") + _dot(28.6, 24.6, 1.8, "#12303f"),
                              _fill(_GOLD, "M26 0 17.5 8H22.5L20 12.6 30 5.4H24.6Z")),
    "random": _robot("#f4f1ea", "#a9a396", "".join(_dot(x, y, 2, "#ff8f7d") for x, y in (
        (18.6, 21), (29.4, 21), (24, 25), (18.6, 29), (29.4, 29))), _antenna("#e0584a")),
    "gambler": _robot("#b55a5a", "#7a3232", _dot(19.6, 24, 2.3, _GLOW) + _fill(_GOLD, "M28.4 20.2 29.5 22.8 32.3 23"
                      " 30.2 24.9 30.8 27.6 28.4 26.2 26 27.6 26.6 24.9 24.5 23 27.3 22.8Z")
                      + _line("M20 29.6Q25 31.4 28 28.6", _GLOW, 1.6),
                      _fill("#20222b", "M16 12V3C16 1 32 1 32 3V12Z") + _fill("#20222b", "M10 11H38V13.6H10Z")
                      + _fill("#c9362f", "M16 8H32V11H16Z")),
    "professor": _robot("#c9cdd6", "#7f8796", _line("M16.2 21.4H22.8V26.6H16.2ZM25.2 21.4H31.8V26.6H25.2ZM22.8 24H25.2",
                        _GOLD, 1.5) + _dot(19.5, 24, 1.4, _GLOW) + _dot(28.5, 24, 1.4, _GLOW)
                        + _line("M21.5 30H26.5", _GLOW, 1.5),
                        _fill("#27304a", "M4 7.4 24 .6 44 7.4 24 14Z") + _line("M40 8.6V15", _GOLD, 1.6)),
    "cheater": _robot("#6f7684", "#3c424d", _fill("#e8e4da", "M16.4 21.4H22.6L21 26H18ZM25.4 21.4H31.6L30 26H27Z")
                      + _dot(20.2, 23.6, 1.3) + _dot(29, 23.6, 1.3) + _line("M21 30Q25 31.2 28 28.8", "#e8e4da", 1.6),
                      '<rect x="30" y="1" width="10" height="14" rx="2" fill="#fffdf6" transform="rotate(16 35 8)"/>'
                      + _fill("#c9252d", "M36 4.6 38.4 8 35 11.6 32.6 7.6Z")),
    "lowest": _robot("#8fb3a6", "#56786c", _line("M17.4 24.4H21.8M26.2 24.4H30.6", _GLOW, 2)
                     + _line("M21 29.6H27", _GLOW, 1.6), _line("M24 2V9M20.6 6 24 9.4 27.4 6", "#56786c", 2.2)),
    "keeper": _robot("#d8b25c", "#8c6a22", _eyes(_GOLD, 2.1) + _fill(_GOLD, "M24 26.4A1.9 1.9 0 0 1 25 30L25.6 32H22.4L23"
                     " 30A1.9 1.9 0 0 1 24 26.4Z"), _line("M17.5 12V8.5A6.5 6.5 0 0 1 30.5 8.5V12", "#8a93a3", 3)),
    "automaton": _robot("#c58a5a", "#7d4f2a", _line("M19.6 20.6V27.4M16.2 24H23M28.4 20.6V27.4M25 24H31.8", _GOLD, 1.5)
                        + _dot(19.6, 24, 2.2, _GOLD) + _dot(28.4, 24, 2.2, _GOLD) + _line("M20.4 30.2H27.6", _GOLD, 1.5),
                        _line("M24 12V8", "#8a93a3", 2.4) + _line("M24 7.4C21 2 16 3 17 6.4S22 9 24 7.4C26 9 30 9.8 31"
                              " 6.4S27 2 24 7.4Z", "#8a93a3", 2)),
    "hoarder": _robot("#7f9c5c", "#4d6332", _eyes("#ffe9a8", 3) + _dot(19.6, 24, 1.2) + _dot(28.4, 24, 1.2)
                      + _line("M21 30.4H27", "#ffe9a8", 1.6), "".join(
        f'<rect x="{x}" y="{y}" width="9" height="12" rx="1.6" fill="#fffdf6" stroke="#4d6332" stroke-width="1" '
        f'transform="rotate({turn} {x + 4} {y + 6})"/>' for x, y, turn in ((13, 2, -18), (19.5, .6, 0), (26, 2, 18)))),
    "shuffler": _robot("#6fb7c4", "#37717c", _eyes("#fff2b8", 2.2) + _line("M20.6 28.6Q24 31.6 27.4 28.6", "#fff2b8", 1.6),
                       _line("M14 9C20 9 28 3 34 3M31 .8 34.4 3 31 5.4M14 3C20 3 28 9 34 9M31 6.6 34.4 9 31 11.4",
                             "#37717c", 2)),
    # for a computer without a face of its own
    "robot-0": _robot("#a9b8c9", "#667789", _eyes(_GLOW) + _SMILE, _antenna("#f0a35e")),
    "robot-1": _robot("#c9a9b4", "#8a6672", _line("M17.4 24H21.8M26.2 24H30.6", _GLOW, 2) + _SMILE, _antenna(_GOLD)),
    "robot-2": _robot("#a9c9ae", "#668a6d", _eyes("#ffd9a0") + _line("M21 29.6H27", "#ffd9a0", 1.6),
                      _antenna("#6fd3ff")),
}  # fmt: skip


def sprite() -> str:
    named = PARTS | {f"bot-{name}": face for name, face in COMPUTERS.items()}
    symbols = "\n".join(
        f'<symbol id="{name}" viewBox="0 0 48 48">{drawn}</symbol>' for name, drawn in named.items()
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'
