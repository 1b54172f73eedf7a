"""The cards, faces and felts of the pages as parts of a picture that stands alone.

A page puts them together with its style sheets. A picture has none, so the colours are read from
the same sheets and written into the drawing.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from django.contrib.staticfiles import finders

from games.language import letter
from games.templatetags.faces import computer_parts, features

_SYMBOL: Final = re.compile(r'<symbol id="([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)
_VARIABLE: Final = re.compile(r"(--[\w-]+):\s*([^;}]+)")
_LIGHT: Final = re.compile(r"light-dark\(([^,]+),.*\)")
_USED: Final = re.compile(r"var\((--[\w-]+)\)")
_OTHER_RANKS: Final = {"В": "Be", "Д": "De", "К": "K", "Т": "Te"}
RED, BLACK, PAPER = "#c3222b", "#1d1d24", "#fffdf6"


class Felt(NamedTuple):
    """The colours of a game's table and the tile that is woven into it."""

    light: str
    deep: str
    line: str
    muted: str
    tile: str
    tile_width: int
    tile_height: int


@cache
def _file(name: str) -> str:
    path = finders.find(name)
    return Path(path).read_text() if path else ""


@cache
def _symbols(name: str) -> dict[str, str]:
    return dict(_SYMBOL.findall(_file(name)))


@cache
def _colours(name: str, selector: str) -> dict[str, str]:
    """What a rule of a style sheet sets, in the light scheme."""
    rule = re.search(rf"{re.escape(selector)}\s*{{([^}}]*)}}", _file(name))
    variables = _VARIABLE.findall(rule[1]) if rule else []
    return {
        key: re.sub(r"light-dark\(([^,]+),.*\)", r"\1", value.strip()) for key, value in variables
    }


@cache
def felt_of(game: str) -> Felt:
    own = _colours(f"games/tables/{game}/felt.css", f".game-{game}")
    tokens = "games/css/tokens.css"
    values = _colours(tokens, ":root") | _colours(tokens, ".game-choice") | own
    address = values["--felt-print"].partition('"')[2].partition('"')[0]
    tile = _file(f"games/img/{Path(address).name}")
    size = re.search(r'width="(\d+)" height="(\d+)"', tile)
    across, down = map(int, size.groups()) if size else (48, 48)
    inside = re.sub(r"</?svg[^>]*>", "", tile).strip()
    return Felt(
        values["--felt"],
        values["--felt-deep"],
        values["--felt-line"],
        values["--on-felt-muted"],
        inside,
        across,
        down,
    )


def card(code: str) -> str:
    """The front of a playing card, 100 wide and 140 high."""
    symbols = _symbols("games/cards/deck.svg")
    rank = letter(code[0])
    body = "X" if code[0] == "X" else code if code[0] in "AJQK" else code[1]
    colour = RED if code[1] in "DH" else BLACK
    front = symbols[body] + symbols[f"r-{_OTHER_RANKS.get(rank, rank)}"]
    return f'{paper()}<g color="{colour}">{front}</g>'


def paper() -> str:
    """A card with nothing on it."""
    return (
        '<rect x="2" y="4" width="100" height="140" rx="8" fill="#000" fill-opacity=".3"/>'
        f'<rect width="100" height="140" rx="8" fill="{PAPER}"/>'
    )


def face(name: str, bot: str | None, seat: int) -> str:
    """A drawn face on the colour of its seat, a circle in a square of 48."""
    symbols = _symbols("games/img/faces.svg")
    classes, parts = computer_parts(bot) if bot else features(name)
    colours: dict[str, str] = {}
    for each in classes.split():
        colours |= _colours("games/css/tokens.css", f".{each}")
    drawn = "".join(symbols[part] for part in parts)
    ground = seat_colour(seat)
    inside = _USED.sub(lambda used: colours.get(used[1], "#888"), drawn)
    return (
        f'<circle cx="24" cy="24" r="24" fill="{ground}"/><g clip-path="url(#round)">{inside}</g>'
    )


def seat_colour(seat: int) -> str:
    colour = _colours("games/css/tokens.css", f".seat-{seat}").get("--seat", "#c9c2b4")
    return re.sub(r"hsl\((\S+) (\S+) (\S+)\)", r"hsl(\1, \2, \3)", colour)
