"""The skeleton of a name: two names with the same skeleton look the same.

As in Unicode TS39, whose table of look-alikes is in `confusable_homoglyphs`: characters that draw
nothing are removed; width, case, accents and everything between words do not count; and a letter
becomes the one that it looks like. Some letters are added that people confuse in these alphabets
although the table does not: 0 is o; 1, i and l are one; к is k.

The table is read in both directions, in small letters: what looks like к looks like k, too. No
skeleton is right for a letter that is read as two, as ſ is f by the table and s in small letters
(``letters_read_twice``): no new name has one.

Skeletons are stored. A change here, or of the table, needs a migration like accounts.0011.
"""

import unicodedata
from functools import cache, lru_cache
from typing import Final

from confusable_homoglyphs.utils import load

LENGTH: Final = 160
KNOWN: Final = 4096  # characters that were looked up: names have few
PASSES: Final = 3  # as written, in small letters, and again for the look-alikes of those
_LETTERS: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԌԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
    "авеѕіјкмнорстухӏԁԛԝһьαεικορυνγχωτηօոսհıɡɑ"
    "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "ABESIJKMHOPCTYXGWABEZHIKMNOPTYX"
    "abesijkmhopctyxldqwhbaeikopuvyxwtnonuhiga"
    "abcdefghijklmnoprstuvwyz",
)
_DIGITS: Final = str.maketrans("01i|!", "ollll")
_BETWEEN: Final = frozenset({"Zs", "Zl", "Zp", "Cf", "Pc", "Pd", "Po"})
_MARKS: Final = frozenset({"Mn", "Me"})
# Unicode's Default_Ignorable_Code_Point, which `unicodedata` does not know, beside category Cf.
_IGNORABLE: Final = (
    *((0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2065, 0x2065)),
    *((0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF)),
)
_MARK: Final = "\u200e"
_BLANK: Final = "\u2800"  # braille without a dot: no space, but nothing is seen
# Accents of every alphabet. Other marks count on letters of their own, as the dots of カ and ガ do.
_ACCENTS: Final = (
    *((0x0300, 0x036F), (0x0483, 0x0489), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF)),
    (0xFE20, 0xFE2F),
)


def skeleton(name: str) -> str:
    """The same text for names that look the same; never empty for a name that is not."""
    drawn = name
    for _ in range(PASSES):
        plain = _letters(unicodedata.normalize("NFKD", drawn)).translate(_LETTERS)
        drawn = plain.translate(_look_alikes()).casefold()
    small = _letters(drawn).translate(_DIGITS)
    kept = "".join(one for one in small if unicodedata.category(one) not in _BETWEEN)
    return (kept.replace("rn", "m").replace("vv", "w") or name)[:LENGTH]


@lru_cache(KNOWN)
def is_unseen(one: str) -> bool:
    """Whether a character draws nothing of its own: ignored, blank, or drawn around others."""
    return (
        _is_in(_IGNORABLE, one) or unicodedata.category(one) in {"Cf", "Cc", "Me"} or one == _BLANK
    )


def _letters(text: str) -> str:
    """Without characters that draw nothing, accents, and marks on Latin letters."""
    kept: list[str] = []
    for one in text:
        if _does_not_count(one):
            continue
        if unicodedata.category(one) in _MARKS and (not kept or kept[-1].isascii()):
            continue
        kept.append(one)
    return "".join(kept)


@lru_cache(KNOWN)
def _does_not_count(one: str) -> bool:
    return is_unseen(one) or _is_in(_ACCENTS, one)


def _is_in(ranges: tuple[tuple[int, int], ...], one: str) -> bool:
    return any(first <= ord(one) <= last for first, last in ranges)


@cache
def _look_alikes() -> dict[int, str]:
    """The character that each one looks like.

    The table gives one for each, and all of those for that one. Of two that are given for each
    other the first in Unicode stands for both. One that stands for letters which are drawn as one
    of ours, as ĸ does for к, is that one.
    """
    table, alike = _table(), {one: like[0] for one, like in _table().items() if len(like) == 1}
    alike = {one: other for one, other in alike.items() if not (alike.get(other) == one < other)}
    for one in table.keys() - alike.keys():
        letters = {letter for like in table[one] if (letter := _letter(like))}
        if not one.isascii() and len(letters) == 1:
            alike[one] = letters.pop()
    return {ord(one): other for one, other in alike.items()}


@cache
def letters_read_twice() -> frozenset[str]:
    """The letters that the table takes for one of our letters and that stand for another one."""
    return frozenset(
        one
        for one, like in _table().items()
        if len(like) == 1 and one.isalpha() and _is_ours(alike := skeleton(like[0]))
        if skeleton(one) != alike
    )


def _is_ours(text: str) -> bool:
    return text.isascii() and text.isalnum()


@cache
def _table() -> dict[str, list[str]]:
    """Letters that are written from right to left stand in it between marks."""
    marked = load("confusables.json").items()
    table = {one.strip(_MARK): [each["c"].strip(_MARK) for each in like] for one, like in marked}
    return {one: like for one, like in table.items() if len(one) == 1}


def _letter(text: str) -> str:
    """The letter or digit of ours that a character is without the table, if it is one."""
    plain = _letters(unicodedata.normalize("NFKD", text)).translate(_LETTERS).casefold()
    return plain if len(plain) == 1 and _is_ours(plain) else ""
