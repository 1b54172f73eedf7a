"""Cuts the two typefaces to the letters that the pages need, as small WOFF2 files.

The faces are Yeseva One and Onest (SIL Open Font License), from npm:

    npm install @fontsource/yeseva-one@5 @fontsource-variable/onest@5
    python -m tests.art.type node_modules

Each face is cut into three files, which a browser loads as a text needs them: English, the letters
that Turkish and Czech add, Russian.
"""

import sys
from pathlib import Path
from typing import Final

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from tests.art.__main__ import STATIC

LATIN: Final = (
    "".join(map(chr, range(0x20, 0x7F)))
    + "\u00a0·×§©«»°±¼½¾–—‘’‚“”„•…‹›€−"
    + "ÄÖÜäöüßÁÉÍÓÚÝáéíóúýÇçÂâÎîÛûÀàÈèÊêÑñÅåØøÆæ"
    + "ıËëÏïÔôÃãÕõÙùÿ"  # the dotless i is in the package's first file, unlike its capital
)
ADDED: Final = "ĞğİŞşČčĎďĚěŇňŘřŠšŤťŮůŽžŁłŃńŚśŹźŻżĄąĘęĆćŐőŰű"
CYRILLIC: Final = "Ёё№" + "".join(map(chr, range(0x410, 0x450)))
PARTS: Final = {"latin": LATIN, "latin-ext": ADDED, "cyrillic": CYRILLIC}
FACES: Final = {
    "text": "@fontsource-variable/onest/files/onest-{}-wght-normal.woff2",
    "display": "@fontsource/yeseva-one/files/yeseva-one-{}-400-normal.woff2",
}
WEIGHTS: Final = (400, 700)


def cut(source: Path, letters: str, target: Path) -> int:
    """How many bytes the file has that holds only ``letters``."""
    font = TTFont(source)
    if "fvar" in font:
        font = instancer.instantiateVariableFont(font, {"wght": WEIGHTS})
    options = subset.Options(
        flavor="woff2", hinting=False, desubroutinize=True, notdef_outline=True,
        layout_features=["kern", "ccmp", "locl", "mark", "tnum"], name_IDs=[0, 1, 2, 13, 14],
    )  # fmt: skip
    cutter = subset.Subsetter(options)
    cutter.populate(text=letters)
    cutter.subset(font)
    _rename(font, target.stem)
    subset.save_font(font, str(target), options)
    return target.stat().st_size


def _rename(font: TTFont, name: str) -> None:
    """A cut face may not carry the reserved name of the whole one."""
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = f"Cardroom-{name}"


def main(packages: Path) -> None:
    folder, total = STATIC / "type", 0
    folder.mkdir(exist_ok=True)
    for face, source in FACES.items():
        for part, letters in PARTS.items():
            target = folder / f"{face}-{part}.woff2"
            total += (size := cut(packages / source.format(part), letters, target))
            print(f"{target.name}: {size:,} bytes")
    print(f"together: {total:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
