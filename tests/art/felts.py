"""The pattern of each game's felt: a small tile of pale lines, in the style sheet of the felt.

A file of its own would take a request, and more bytes in front of it than it holds.
"""

import re
from pathlib import Path
from typing import Final
from urllib.parse import quote

TILES: Final = {  # name: side lengths, path
    "stars": (56, 56, "M28 8 33 16 42 14 40 23 48 28 40 33 42 42 33 40 28 48 23 40 14 42 16 33 8 28"
              " 16 23 14 14 23 16ZM0 0 8 3M0 0 3 8M56 0 48 3M56 0 53 8M0 56 8 53M0 56 3 48M56 56 48"
              " 53M56 56 53 48"),
    "cells": (42, 72, "M21 0V12L0 24V48L21 60V72M21 12 42 24V48L21 60"),
    "quilt": (48, 48, "M0 24 24 0 48 24 24 48ZM24 20V28M20 24H28"),
    "stitch": (40, 40, "M4 4 8 8M8 4 4 8M14 14 18 18M18 14 14 18M22 22 26 26M26 22 22 26M32 32 36"
               " 36M36 32 32 36M32 4 36 8M36 4 32 8M22 14 26 18M26 14 22 18M14 22 18 26M18 22 14"
               " 26M4 32 8 36M8 32 4 36"),
}  # fmt: skip


SHEETS: Final = {  # the sheet in which each is declared
    "stars": "css/tokens.css",
    "cells": "tables/pazaak/felt.css",
    "quilt": "tables/shithead/felt.css",
    "stitch": "tables/pyanitsa/felt.css",
}
PRINT: Final = re.compile(r'(?<=--felt-print: url\(")[^"]*')


def felts(static: Path) -> dict[Path, str]:
    """The sheets, with the tiles as they are drawn now."""
    return {
        static / sheet: PRINT.sub(_address(_tiles()[name]), (static / sheet).read_text())
        for name, sheet in SHEETS.items()
    }


def _address(drawing: str) -> str:
    return "data:image/svg+xml," + quote(drawing, safe=" =:/'.,-")


def _tiles() -> dict[str, str]:
    return {
        name: f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}'>"
        f"<path fill='none' stroke='#fff' stroke-opacity='.055' stroke-width='1.4' d='{path}'/>"
        "</svg>"
        for name, (width, height, path) in TILES.items()
    }
