"""The letters of the two typefaces as outlines, for pictures that are drawn without a browser.

A picture that is sent around brings its letters along: a browser gives a picture no fonts, and the
program that makes a PNG of it knows none of ours. Read from the cut faces of `tests/art/type.py`:

    python -m tests.art.outlines

Each file holds for every letter how far it advances and its outline, and the pairs that stand
closer or wider than others; numbers are thousandths of the size, y points down.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from tests.art.__main__ import ROOT, STATIC
from tests.art.shapes import SUITS
from tests.art.type import PARTS

FOLDER: Final = ROOT / "games" / "web" / "outlines"
FACES: Final = {"display": ("display", None), "text": ("text", 480), "bold": ("text", 700)}
LEAST_KERNING: Final = 12


def outlines() -> dict[Path, str]:
    """Every file, and what stands in it."""
    return {FOLDER / f"{name}.json": _face(*cut) for name, cut in FACES.items()}


def _face(face: str, weight: int | None) -> str:
    letters: dict[str, list[Any]] = dict(_suits())
    kerning: dict[str, int] = {}
    for part in PARTS[face]:
        font = TTFont(STATIC / "type" / f"{face}-{part}.woff2")
        if weight and "fvar" in font:
            font = instancer.instantiateVariableFont(font, {"wght": weight})
        letters |= dict(_letters(font))
        kerning |= dict(_kerning(font))
    ordered = {letter: letters[letter] for letter in sorted(letters)}
    pairs = {pair: kerning[pair] for pair in sorted(kerning)}
    return (
        json.dumps(
            {"letters": ordered, "kerning": pairs}, ensure_ascii=False, separators=(",", ":")
        ).replace('],"', '],\n"')
        + "\n"
    )


def _letters(font: TTFont) -> Iterator[tuple[str, list[Any]]]:
    scale, glyphs = 1000 / font["head"].unitsPerEm, font.getGlyphSet()
    for code, name in font.getBestCmap().items():
        pen = _pen(glyphs)
        glyphs[name].draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
        yield chr(code), [round(glyphs[name].width * scale), pen.getCommands()]


def _suits() -> Iterator[tuple[str, list[Any]]]:
    """The signs of the suits, which neither face has: as high as a capital."""
    for letter, suit in zip("♠♥♦♣", "SHDC", strict=True):
        pen = _pen({})
        parse_path(SUITS[suit], TransformPen(pen, (7, 0, 0, 7, 30, -705)))
        yield letter, [760, pen.getCommands()]


def _pen(glyphs: Any) -> SVGPathPen:
    return SVGPathPen(glyphs, ntos=lambda number: str(round(number)))


def _kerning(font: TTFont) -> Iterator[tuple[str, int]]:
    """Pairs of letters and the change of the first one's advance."""
    scale = 1000 / font["head"].unitsPerEm
    letters = {name: chr(code) for code, name in font.getBestCmap().items()}
    for first, second, value in _pairs(font, letters):
        if abs(value * scale) >= LEAST_KERNING:
            yield letters[first] + letters[second], round(value * scale)


def _pairs(font: TTFont, letters: dict[str, str]) -> Iterator[tuple[str, str, int]]:
    if "GPOS" not in font:
        return
    seen: set[tuple[str, str]] = set()
    for table in _tables(font["GPOS"].table):
        covered = [name for name in table.Coverage.glyphs if name in letters]
        for first, second, value in _of_table(table, covered, letters):
            if (first, second) not in seen:
                seen.add((first, second))
                yield first, second, value


def _tables(gpos: Any) -> Iterator[Any]:
    kern = [f.Feature for f in gpos.FeatureList.FeatureRecord if f.FeatureTag == "kern"]
    numbers = sorted({number for feature in kern for number in feature.LookupListIndex})
    for number in numbers:
        for table in gpos.LookupList.Lookup[number].SubTable:
            yield table.ExtSubTable if hasattr(table, "ExtSubTable") else table


def _of_table(
    table: Any, covered: list[str], letters: dict[str, str]
) -> Iterator[tuple[str, str, int]]:
    if table.Format == 1:
        for name, pairs in zip(table.Coverage.glyphs, table.PairSet, strict=True):
            for pair in pairs.PairValueRecord:
                if name in letters and pair.SecondGlyph in letters:
                    yield name, pair.SecondGlyph, _advance(pair.Value1)
        return
    for first in covered:
        row = table.Class1Record[table.ClassDef1.classDefs.get(first, 0)].Class2Record
        for second in letters:
            yield first, second, _advance(row[table.ClassDef2.classDefs.get(second, 0)].Value1)


def _advance(value: Any) -> int:
    return getattr(value, "XAdvance", 0) or 0


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in outlines().items():
        path.write_text(text)
        print(f"{path.relative_to(ROOT)}: {len(text.encode()):,} bytes")
