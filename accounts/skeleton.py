"""What is left of a name to the eye: two names with the same skeleton are taken for each other.

In the manner of Unicode TR39, with the letters that people really confuse: case, width, accents and
what stands between words do not count; Cyrillic, Greek and Armenian letters are those Latin ones
that they are drawn like; 0 is o; 1, i and l are one.
"""

import unicodedata
from typing import Final

LENGTH: Final = 160
_CAPITALS: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԌԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "ABESIJKMHOPCTYXGWABEZHIKMNOPTYX",
)
_SMALL: Final = str.maketrans(
    "авеѕіјкмнорстухӏԁԛԝһьαεικορυνγχωτηօոսհıɡɑ",
    "abesijkmhopctyxldqwhbaeikopuvyxwtnonuhiga",
)
_DIGITS: Final = str.maketrans("01i|!", "ollll")
_BETWEEN: Final = frozenset({"Zs", "Zl", "Zp", "Cf", "Pc", "Pd", "Po"})


def skeleton(name: str) -> str:
    """The same text for names that look the same; never empty for a name that is not."""
    drawn = unicodedata.normalize("NFKD", name).translate(_CAPITALS)
    small = unicodedata.normalize("NFKD", drawn.casefold()).translate(_SMALL | _DIGITS)
    kept = "".join(filter(_is_seen, small)).replace("rn", "m").replace("vv", "w")
    return (kept or name)[:LENGTH]


def _is_seen(one: str) -> bool:
    """No accent, and no sign that merely stands between words or letters."""
    return not "\u0300" <= one <= "\u036f" and unicodedata.category(one) not in _BETWEEN
