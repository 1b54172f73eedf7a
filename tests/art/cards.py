"""The sprite of the fronts and the backs.

A front is put together from two symbols of one size: the body of the card (`H` for the numbers of a
suit, `KH` for a court card) and the rank in its corner (`r-K`). Players of another language get
other ranks on the same bodies.
"""

from typing import Final

from tests.art.courts import court, joker
from tests.art.shapes import RANKS, STAR, SUITS

WIDTH, HEIGHT = 100, 140
INDEX: Final = 40  # the height of a rank: 28 % of the card's
_STROKE: Final = 8


def _placed(path: str, x: float, y: float, size: float) -> str:
    """A shape of a square of 100, as a square of ``size`` at a place of the card."""
    return f'<path fill="currentColor" transform="translate({x:g} {y:g}) scale({size / 100:g})" d="{path}"/>'


def _symbol(name: str, content: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{content}</symbol>'


def _number(suit: str) -> str:
    pip = SUITS[suit]
    return _placed(pip, 9, 55, 27) + _placed(pip, 32, 67, 62)


def _ace(suit: str) -> str:
    pip = SUITS[suit]
    inner = (
        f'<path fill="none" stroke="#fffdf6" stroke-width="3" '
        f'transform="translate(39.6 69.6) scale(.468)" d="{pip}"/>'
    )
    return _placed(pip, 9, 55, 27) + _placed(pip, 27, 57, 72) + inner


def _court(rank: str, suit: str) -> str:
    figure = court(rank, suit)
    return (
        _placed(SUITS[suit], 9, 55, 27)
        + f'<g transform="translate(19.5 46) scale(.9 .95)">{figure}</g>'
    )


def _rank(rank: str) -> str:
    if rank == "X":
        return f'<path fill="currentColor" transform="translate(7 9)" d="{STAR}"/>'
    path, _width = RANKS[rank]
    return (
        f'<path fill="none" stroke="currentColor" stroke-width="{_STROKE}" '
        f'stroke-linejoin="round" transform="translate(8 9)" d="{path}"/>'
    )


def fronts() -> str:
    bodies = [_symbol(suit, _number(suit)) for suit in SUITS]
    bodies += [_symbol(f"A{suit}", _ace(suit)) for suit in SUITS]
    bodies += [_symbol(f"{rank}{suit}", _court(rank, suit)) for rank in "JQK" for suit in SUITS]
    bodies += [_symbol("X", f'<g transform="translate(9 46) scale(.88 .95)">{joker()}</g>')]
    ranks = [_symbol(f"r-{rank}", _rank(rank)) for rank in RANKS]
    inside = "\n".join([*bodies, *ranks])
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{inside}\n</svg>\n'


def _back(ground: str, inside: str, defs: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"<defs>{defs}</defs>"
        f'<rect width="100" height="140" fill="#fffdf6"/>'
        f'<rect x="5" y="5" width="90" height="130" rx="6" fill="{ground}"/>'
        f"{inside}</svg>\n"
    )


def backs() -> dict[str, str]:
    """Lattice, rays and waves, by name."""
    lattice = (
        '<pattern id="p" width="18" height="26" patternUnits="userSpaceOnUse" x="5" y="5">'
        '<path fill="none" stroke="#4f86a8" stroke-width="1.6" d="M9 0 18 13 9 26 0 13Z"/>'
        '<path fill="#e3a93c" d="M9 8.5 12 13 9 17.5 6 13Z"/></pattern>'
    )
    rays = "".join(
        f'<path fill="#f0d9a8" opacity=".9" transform="rotate({at * 22.5} 50 70)" '
        'd="M50 70 45 -20H55Z"/>'
        for at in range(16)
    )
    waves = (
        '<pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse">'
        '<g fill="none" stroke="#cfe7d7" stroke-width="1.5">'
        '<circle cx="10" cy="20" r="9"/><circle cx="10" cy="20" r="5"/>'
        '<circle cx="0" cy="10" r="9"/><circle cx="20" cy="10" r="9"/>'
        '<circle cx="0" cy="10" r="5"/><circle cx="20" cy="10" r="5"/></g></pattern>'
    )
    patterned = '<rect x="9" y="9" width="82" height="122" rx="3" fill="url(#p)"/>'
    framed = '<rect x="9" y="9" width="82" height="122" rx="3" fill="none" stroke="{}" stroke-width="1.6"/>'
    clip = '<clipPath id="c"><rect x="9" y="9" width="82" height="122" rx="3"/></clipPath>'
    return {
        "lattice": _back("#1d4a6b", patterned + framed.format("#e3a93c"), lattice),
        "rays": _back(
            "#8c2630",
            f'<g clip-path="url(#c)">{rays}</g><circle cx="50" cy="70" r="17" fill="#8c2630"/>'
            f'<circle cx="50" cy="70" r="12" fill="#e3a93c"/>{framed.format("#f0d9a8")}',
            clip,
        ),
        "waves": _back(
            "#1f5a48",
            '<rect x="9" y="9" width="82" height="122" rx="3" fill="#2a6e58"/>'
            + patterned + framed.format("#cfe7d7"),
            waves,
        ),
    }  # fmt: skip
