"""The picture of a finished match as an SVG of 1200 by 630, which previews of links expect."""

from collections.abc import Iterator
from html import escape
from typing import Final

from django.utils.translation import gettext as _

from games.web.parts.view_facts import is_card
from games.web.share.facts import Picture, PictureSeat, PictureSide
from games.web.share.lettering import Anchor, Lettering, Line, fitted, in_rows, width, wrapped
from games.web.share.sprites import BLACK, Felt, card, face, felt_of, paper

WIDTH, HEIGHT = 1200, 630
GOLD: Final = "#ffd66b"
CREAM: Final = "#f6f1e4"
MOST_ROWS: Final = 6
ROOM: Final = 1040  # for the headline
_MARK: Final = (
    f'<path fill="{GOLD}" d="M50 4C57 23 93 40 93 63 93 76 83 85 72 85 65 85 59 82 55 77 56 85 60 '
    '92 67 97H33C40 92 44 85 45 77 41 82 35 85 28 85 17 85 7 76 7 63 7 40 43 23 50 4Z"/>'
)


class Drawing:
    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.felt = felt_of(picture.slug)
        self.letters = Lettering()

    def __str__(self) -> str:
        """The whole document; its parts are drawn first, as they choose the letters."""
        body = "".join(self._parts())
        title = f"{self.picture.game}: {self.picture.headline}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-labelledby="title words">'
            f'<title id="title">{escape(title)}</title>'
            f'<desc id="words">{escape(self.picture.description)}</desc>'
            f"<defs>{_ground(self.felt)}{self.letters.outlines}</defs>{body}</svg>\n"
        )

    def _parts(self) -> Iterator[str]:
        yield _table(self.felt)
        yield from self._head()
        yield from self._sides()
        yield from self._foot()

    def _text(self, words: str, x: float, y: float, size: float, anchor: Anchor = "middle") -> str:
        return self.letters.draw(Line(words, x, y, size, "text", self.felt.muted, anchor))

    def _bold(self, words: str, x: float, y: float, size: float, anchor: Anchor = "start") -> str:
        return self.letters.draw(Line(words, x, y, size, "bold", CREAM, anchor))

    def _display(
        self,
        words: str,
        x: float,
        y: float,
        size: float,
        colour: str = CREAM,
        anchor: Anchor = "start",
    ) -> str:
        return self.letters.draw(Line(words, x, y, size, "display", colour, anchor))

    def _head(self) -> Iterator[str]:
        picture = self.picture
        yield self._display(picture.game, 66, 98, 40)
        brand = 1134 - width("Cardroom", 36, "display")
        yield f'<g transform="translate({brand - 44:.0f} 66) scale(.36)">{_MARK}</g>'
        yield self._display("Cardroom", brand, 98, 36)
        size = next((n for n in (64, 52) if width(picture.headline, n, "display") < ROOM), 42)
        headline = fitted(picture.headline, size, ROOM, "display")
        yield self._display(headline, 600, 182, size, GOLD, "middle")
        yield self._text(picture.reason or picture.day, 600, 224, 24)

    def _sides(self) -> Iterator[str]:
        if len(self.picture.sides) != 2:
            yield from self._rows()
            return
        for side, centre in zip(self.picture.sides, (330, 870), strict=True):
            yield from self._half(side, centre)
        between = "–" if self.picture.points_are_places else ":"
        yield self._display(between, 600, 338, 80, self.felt.muted, "middle")

    def _half(self, side: PictureSide, centre: float) -> Iterator[str]:
        """One of two sides: faces, name, points, and why it has them."""
        size = 104 if len(side.seats) == 1 else 78
        left = centre - 40 - size * len(side.seats)
        for number, seat in enumerate(side.seats):
            yield _face(seat, side, left + number * size, 256, size)
        points = f"{side.place}." if self.picture.points_are_places else str(side.points)
        yield self._display(points, centre + 10, 344, 100, _colour(side))
        yield self._bold(fitted(side.name, 32, 470, "bold"), centre, 406, 32, "middle")
        for number, row in enumerate(in_rows(side.causes, " · ", 21, 500, 2)):
            yield self._text(row, centre, 440 + 28 * number, 21)

    def _rows(self) -> Iterator[str]:
        """Many sides: the first places, one below the other."""
        sides = self.picture.sides[:MOST_ROWS]
        step = min(62, 250 // len(sides))
        for number, side in enumerate(sides):
            yield from self._row(side, 252 + number * step, step - 10)

    def _row(self, side: PictureSide, y: float, size: float) -> Iterator[str]:
        base = y + size * 0.7
        for at, seat in enumerate(side.seats):
            yield _face(seat, side, 310 + at * size, y, size)
        name = fitted(side.name, 30, 430, "bold")
        yield self._display(f"{side.place}.", 290, base, 30, _colour(side), "end")
        yield self._bold(name, 330 + size * len(side.seats), base, 30)
        if not self.picture.points_are_places:
            yield self._display(str(side.points), 900, base, 36, _colour(side), "end")

    def _foot(self) -> Iterator[str]:
        """The best moment, and cards."""
        cards = self.picture.cards
        for number, code in enumerate(cards):
            turn = (number - (len(cards) - 1) / 2) * 5
            place = f"translate({1130 - 84 * (len(cards) - number)} 486) rotate({turn:.1f} 40 56)"
            drawn = card(code) if is_card(code) else self._tile(code)
            yield f'<g transform="{place} scale(.8)">{drawn}</g>'
        if cards and self.picture.cards_are_last:
            yield self._text(_("The last cards"), 1122, 474, 19, "end")
        rows = wrapped(self.picture.moment, 26, 1050 - 84 * len(cards), 2, "bold")
        for number, row in enumerate(rows):
            yield self._bold(row, 66, 560 - 17 * (len(rows) - 1) + 34 * number, 26)

    def _tile(self, text: str) -> str:
        """A card of a game's own: its value on paper."""
        size = 52 if len(text) < 3 else 40
        return paper() + self._display(text, 50, 82, size, BLACK, "middle")


def _colour(side: PictureSide) -> str:
    return GOLD if side.has_won else CREAM


def _face(seat: PictureSeat, side: PictureSide, x: float, y: float, size: float) -> str:
    ring = (
        f'<circle cx="24" cy="24" r="25.5" fill="none" stroke="{GOLD}" stroke-width="2.5"/>'
        if side.has_won
        else ""
    )
    place = f"translate({x:.1f} {y:.1f}) scale({size / 48 * 0.92:.3f})"
    return f'<g transform="{place}">{face(seat.face, seat.bot, seat.index)}{ring}</g>'


def _ground(felt: Felt) -> str:
    """The wood of the rim, the light on the felt, what is woven into it, the shape of a face."""
    return (
        '<linearGradient id="rim" x1="0" y1="0" x2=".4" y2="1"><stop stop-color="#7b5232"/>'
        '<stop offset=".5" stop-color="#51321c"/><stop offset="1" stop-color="#3a2313"/>'
        "</linearGradient>"
        f'<pattern id="woven" width="{felt.tile_width}" height="{felt.tile_height}" '
        f'patternUnits="userSpaceOnUse">{felt.tile}</pattern>'
        '<clipPath id="round"><circle cx="24" cy="24" r="24"/></clipPath>'
    )


def _table(felt: Felt) -> str:
    """Plain colours: a gradient as large as the picture makes a PNG twice as large."""
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#rim)"/>'
        f'<rect x="18" y="18" width="1164" height="594" rx="44" fill="{felt.deep}"/>'
        f'<rect x="18" y="18" width="1164" height="594" rx="44" fill="{felt.light}" '
        'fill-opacity=".55"/>'
        f'<rect x="36" y="36" width="1128" height="558" rx="30" fill="{felt.light}" '
        'fill-opacity=".5"/>'
        '<rect x="18" y="18" width="1164" height="594" rx="44" fill="url(#woven)" '
        'stroke="#cfa052" stroke-width="2.5"/>'
    )
