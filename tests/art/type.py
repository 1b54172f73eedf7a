"""Cuts the two typefaces to the letters that the pages need, as small WOFF2 files.

The faces are Yeseva One and Onest (SIL Open Font License), from npm:

    npm install @fontsource/yeseva-one@5 @fontsource-variable/onest@5
    python -m tests.art.type node_modules

Each face is cut into files, which a browser loads as a text needs them: English and what Turkish has
beside it in the same source, the five letters that only Turkish has (the names of games need one),
other Latin letters of two sources, Russian. The ranges in ``tokens.css`` are those of these files.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from tests.art.__main__ import STATIC

LATIN: Final = (
    "".join(map(chr, range(0x20, 0x7F)))
    + "\u00a0·×§©«»°±½–—‘’‚“”„•…‹›€−"
    + "ÇçÖöÜüÂâÎîÛûı"  # the dotless i is in the package's first file, unlike its capital
)
MORE: Final = "¼¾ÄäßÁÉÍÓÚÝáéíóúýÀàÈèÊêÑñÅåØøÆæËëÏïÔôÃãÕõÙùÿ"
TURKISH: Final = "ĞğİŞş"
ADDED: Final = "ČčĎďĚěŇňŘřŠšŤťŮůŽžŁłŃńŚśŹźŻżĄąĘęĆćŐőŰű"
CYRILLIC: Final = "Ёё№" + "".join(map(chr, range(0x410, 0x450)))
TEXT: Final = {  # files of the package, and the letters
    "latin": (("latin",), LATIN),
    "latin-more": (("latin",), MORE),
    "turkish": (("latin-ext",), TURKISH),
    "latin-ext": (("latin-ext",), ADDED),
    "cyrillic": (("cyrillic",), CYRILLIC),
}
# Files of one weight can be merged, so the display face needs none for five letters.
DISPLAY: Final = {part: TEXT[part] for part in TEXT if part != "turkish"} | {
    "latin": (("latin", "latin-ext"), LATIN + TURKISH)
}
PARTS: Final = {"text": TEXT, "display": DISPLAY}
FACES: Final = {
    "text": "@fontsource-variable/onest/files/onest-{}-wght-normal.woff2",
    "display": "@fontsource/yeseva-one/files/yeseva-one-{}-400-normal.woff2",
}
WEIGHTS: Final = (400, 700)


def cut(sources: Sequence[Path], letters: str, target: Path) -> int:
    """How many bytes the file has that holds only ``letters``."""
    font = TTFont(sources[0]) if len(sources) == 1 else _merged(sources)
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


def _merged(sources: Sequence[Path]) -> TTFont:
    with TemporaryDirectory() as folder:
        plain = [Path(folder) / source.stem for source in sources]
        for source, target in zip(sources, plain, strict=True):
            font = TTFont(source)
            font.flavor = None
            font.save(target)
        return Merger().merge([str(path) for path in plain])


def _rename(font: TTFont, name: str) -> None:
    """A cut face may not carry the reserved name of the whole one."""
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = f"Cardroom-{name}"


def main(packages: Path) -> None:
    folder, total = STATIC / "type", 0
    folder.mkdir(exist_ok=True)
    for face, source in FACES.items():
        for part, (files, letters) in PARTS[face].items():
            target = folder / f"{face}-{part}.woff2"
            whole = [packages / source.format(name) for name in files]
            total += (size := cut(whole, letters, target))
            print(f"{target.name}: {size:,} bytes")
    print(f"together: {total:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
