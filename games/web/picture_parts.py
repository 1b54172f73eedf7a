"""Parts of pictures: words as outlines, cards, faces and felts.

`tests/art/outlines.py` cuts the letters. A letter that the type does not have is left out; a name
of such letters alone has no words, and its picture calls it by its place.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec
from django.conf import settings
from django.contrib.staticfiles import finders

from games.language import letter as card_letter
from games.templatetags.faces import computer_parts, features

Face = Literal["display", "text", "bold"]
Anchor = Literal["start", "middle", "end"]

OUTLINES_FOLDER: Final = Path(__file__).resolve().parent / "outlines"
_SHIFT: Final = {"start": 0.0, "middle": 0.5, "end": 1.0}
_MORE: Final = "…"
_SHORT: Final = {"display": "d", "text": "t", "bold": "b"}


class Type(msgspec.Struct, frozen=True):
    """A face: for each letter its advance and outline, in thousandths of the size."""

    letters: dict[str, tuple[int, str]]
    kerning: dict[str, int]


class Line(NamedTuple):
    """Words at a place: the base line begins, is centred or ends at ``x``."""

    words: str
    x: float
    y: float
    size: float
    face: Face = "text"
    colour: str = "#fff"
    anchor: Anchor = "start"


@cache
def type_of(face: Face) -> Type:
    return msgspec.json.decode((OUTLINES_FOLDER / f"{face}.json").read_bytes(), type=Type)


def drawable(words: str) -> str:
    """The words without the letters that no outline exists of."""
    composed = unicodedata.normalize("NFC", words)
    letters = type_of("text").letters
    return " ".join("".join(each for each in composed if each in letters).split())


def width(words: str, size: float, face: Face = "text") -> float:
    return sum(step for _letter, step in _steps(words, face)) * size / 1000


def fitted(words: str, size: float, room: float, face: Face = "text") -> str:
    """The words, shortened until they are no wider than ``room``."""
    if width(words, size, face) <= room:
        return words
    while words and width(words + _MORE, size, face) > room:
        words = words[:-1].rstrip()
    return words + _MORE


def wrapped(words: str, size: float, room: float, lines: int, face: Face = "text") -> list[str]:
    """The words in at most so many lines of this width; what does not fit is left out."""
    return in_rows(words.split(), " ", size, room, lines, face)


def in_rows(
    parts: Iterable[str], between: str, size: float, room: float, lines: int, face: Face = "text"
) -> list[str]:
    """Parts that stay whole, in at most so many lines."""
    rows = [""]
    for word in parts:
        longer = f"{rows[-1]}{between}{word}" if rows[-1] else word
        if rows[-1] and width(longer, size, face) > room and len(rows) < lines:
            rows.append(word)
        else:
            rows[-1] = longer
    return [fitted(row, size, room, face) for row in rows if row]


class Lettering:
    """Draws lines of words and keeps each outline once."""

    def __init__(self) -> None:
        self._used: dict[str, str] = {}

    def draw(self, line: Line) -> str:
        words = drawable(line.words)
        begin = line.x - _SHIFT[line.anchor] * width(words, line.size, line.face)
        uses, at = [], 0
        for letter, step in _steps(words, line.face):
            if outline := type_of(line.face).letters[letter][1]:
                uses.append(f'<use href="#{self._name(letter, line.face, outline)}" x="{at}"/>')
            at += step
        place = f"translate({begin:.1f} {line.y:.1f}) scale({line.size / 1000:.4f})"
        return f'<g fill="{line.colour}" transform="{place}">{"".join(uses)}</g>'

    def _name(self, letter: str, face: Face, outline: str) -> str:
        name = f"{_SHORT[face]}{ord(letter)}"
        self._used[name] = outline
        return name

    @property
    def outlines(self) -> str:
        """The definitions of all letters drawn so far."""
        return "".join(f'<path id="{name}" d="{path}"/>' for name, path in self._used.items())


def _steps(words: str, face: Face) -> Iterator[tuple[str, int]]:
    """Each letter with its way to the next one."""
    kind = type_of(face)
    for at, letter in enumerate(words):
        advance = kind.letters.get(letter, (0, ""))[0]
        yield letter, advance + kind.kerning.get(words[at : at + 2], 0)


# The cards, faces and felts of the pages as parts of a picture that stands alone.
#
# A page puts them together with its style sheets. A picture has none, so the colours are read
# from the same sheets and written into the drawing.

_SYMBOL: Final = re.compile(r'<symbol id="([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)
_VARIABLE: Final = re.compile(r"(--[\w-]+):\s*([^;}]+)")
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
    """The values that a rule of a style sheet sets, in the light scheme."""
    rule = re.search(rf"{re.escape(selector)}\s*{{([^}}]*)}}", _file(name))
    variables = _VARIABLE.findall(rule[1]) if rule else []
    return {
        key: re.sub(r"light-dark\(([^,]+),.*\)", r"\1", value.strip()) for key, value in variables
    }


def felt_of(game: str) -> Felt:
    """The felt of the place where it has chosen one, else that of the game."""
    own: str = settings.CLUB["felt"]
    felt = _felt_of(game)
    return felt._replace(light=own, deep=darker(own)) if own else felt


def darker(colour: str) -> str:
    """The edge of a felt of this colour, as the style sheet mixes it."""
    return "#" + "".join(f"{int(colour[at : at + 2], 16) * 55 // 100:02x}" for at in (1, 3, 5))


@cache
def _felt_of(game: str) -> Felt:
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
    rank = card_letter(code[0])
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
