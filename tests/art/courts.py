"""The court cards: a bust of few flat shapes, in the suit's colour, for a square of 100."""

from typing import Final

GOLD: Final = "#e3a93c"
DEEP_GOLD: Final = "#b9801f"
PALE: Final = "#fff4dc"
INK: Final = "#2a1d18"

# skin, hair
PEOPLE: Final = {
    "H": ("#f2c79f", "#a8481c"),
    "D": ("#d8a06c", "#33231a"),
    "C": ("#8f5c3c", "#1d1512"),
    "S": ("#f5d3b3", "#d19a3d"),
}
_EYES: Final = (
    f'<path fill="none" stroke="{INK}" stroke-width="3.4" stroke-linecap="round" '
    'd="M42.5 50v1.5M57.5 50v1.5"/>'
)


def court(rank: str, suit: str) -> str:
    skin, hair = PEOPLE[suit]
    return {"J": _jack, "Q": _queen, "K": _king}[rank](skin, hair)


def _bust(left: int, right: int) -> str:
    return f"M{left} 100C{left} 80 {left + 14} 72 50 72S{right} 80 {right} 100Z"


def _fill(colour: str, path: str) -> str:
    return f'<path fill="{colour}" d="{path}"/>'


def _face(skin: str) -> str:
    return (
        _fill(skin, "M43 60H57V76C57 84 43 84 43 76Z")
        + _fill(skin, "M33 40H67V52C67 64 59 71 50 71S33 64 33 52Z")
        + _EYES
    )


def _mouth() -> str:
    return (
        '<path fill="none" stroke="#9c3b2e" stroke-width="2.6" stroke-linecap="round" '
        'd="M45.5 61.5Q50 64.5 54.5 61.5"/>'
    )


def _king(skin: str, hair: str) -> str:
    return (
        _fill("currentColor", _bust(4, 96))
        + _fill(PALE, "M22 84Q50 66 78 84L70 100H62Q50 88 38 100H30Z")
        + _fill(hair, "M27 36H73V56C73 60 69 62 67 60V44H33V60C31 62 27 60 27 56Z")
        + _face(skin)
        + _fill(hair, "M33 52Q40 56 50 56 60 56 67 52V60C67 76 58 86 50 86S33 76 33 60Z")
        + _fill(skin, "M43 60Q50 57 57 60 55 65 50 65 45 65 43 60Z")
        + _fill(GOLD, "M27 40 23 12 38 25 50 6 62 25 77 12 73 40Z")
        + _fill(DEEP_GOLD, "M27 33H73V41H27Z")
        + '<circle cx="50" cy="22" r="5" fill="currentColor"/>'
    )


def _queen(skin: str, hair: str) -> str:
    return (
        _fill(hair, "M50 18C70 18 79 32 79 50V78C79 84 73 86 68 84H32C27 86 21 84 21 78V50C21 32"
              " 30 18 50 18Z")
        + _fill("currentColor", "M8 100C8 84 24 76 38 76Q50 90 62 76C76 76 92 84 92 100Z")
        + _face(skin)
        + _fill(hair, "M31 50C31 34 42 30 50 30S69 34 69 50C63 44 58 40 50 36 42 40 37 44 31 50Z")
        + _mouth()
        + _fill(GOLD, "M29 27 26 9 39 18 50 4 61 18 74 9 71 27Q50 19 29 27Z")
        + f'<path fill="none" stroke="{GOLD}" stroke-width="4" stroke-linecap="round" '
        'd="M38 78Q50 92 62 78"/>'
        + f'<circle cx="50" cy="90" r="4.5" fill="{PALE}"/>'
    )  # fmt: skip


def _jack(skin: str, hair: str) -> str:
    return (
        _fill("currentColor", _bust(10, 90))
        + _fill(GOLD, "M40 74 50 88 60 74 66 77 50 100 34 77Z")
        + _fill(hair, "M29 34H71V62C71 67 66 68 65 63V46H35V63C34 68 29 67 29 62Z")
        + _face(skin)
        + _fill(hair, "M33 40H67V46Q56 50 46 44 40 50 33 50Z")
        + _mouth()
        + _fill("currentColor", "M22 38C20 20 34 14 52 14S80 22 78 38Q50 30 22 38Z")
        + _fill(GOLD, "M24 40Q50 28 76 40V34Q50 22 24 34Z")
        + _fill(PALE, "M70 30C88 26 92 10 84 0 76 6 66 16 68 30Z")
    )


def joker() -> str:
    return (
        _fill("currentColor", _bust(8, 92))
        + _fill(GOLD, "M20 82 30 96 40 82 50 98 60 82 70 96 80 82Q50 66 20 82Z")
        + _face("#f5d3b3")
        + '<path fill="none" stroke="#9c3b2e" stroke-width="3" stroke-linecap="round" '
        'd="M42 59Q50 68 58 59"/>'
        + _fill("currentColor", "M50 42H30C24 24 14 24 8 34 6 14 26 4 50 20Z")
        + _fill(GOLD, "M50 42H70C76 24 86 24 92 34 94 14 74 4 50 20Z")
        + f'<circle cx="8" cy="37" r="6" fill="{GOLD}"/>'
        '<circle cx="92" cy="37" r="6" fill="currentColor"/>'
    )
