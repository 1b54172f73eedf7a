"""Words as outlines: what a picture says in the type of the pages, without a font.

`tests/art/outlines.py` cuts the letters. A letter that the type does not have is left out; a name
of such letters alone has no words, and its picture calls it by its place.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

Face = Literal["display", "text", "bold"]
Anchor = Literal["start", "middle", "end"]

FOLDER: Final = Path(__file__).resolve().parent / "outlines"
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
    return msgspec.json.decode((FOLDER / f"{face}.json").read_bytes(), type=Type)


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
