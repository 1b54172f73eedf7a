"""The picture of a finished match, to be sent around: drawn by the server, for anybody."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from hashlib import blake2s
from html import escape
from pathlib import Path
from typing import Final
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from cardroom.rules.text import CardName, Listing, Phrase
from cardroom.rules.values import Event
from config.api.throttles import Pictures
from config.club import PLACE
from config.pictures import png_of
from config.refusals import TooManyRequests
from games.absent import check_installed
from games.language import tag_of_language, words
from games.matches.selectors.log import events_for, standing_entries
from games.matches.selectors.secrecy import may_tell_all, named_for
from games.matches.snapshot import MatchSnapshot
from games.web import picture_parts
from games.web.parts.headline import headline
from games.web.parts.table_page import SeatPanel, TablePage
from games.web.table.ending import LONGEST_LOOKED_AT, MatchEnding, any_lost, signed
from games.web.table.page import found_match
from games.web.tables import page_of
from games.web.tables.any_game import is_card

# The facts on the picture of a finished match: what anybody may know of it, and no more.
#
# Cards belong to the match that dealt them. While another match plays on with the same ones
# (`games.matches.selectors.secrecy`), the picture shows none, and no sentence that names any.

MOST_CARDS: Final = 6


@dataclass(frozen=True)
class PictureSeat:
    """``name`` as everybody reads it; ``face`` is what the face is drawn from."""

    name: str
    face: str
    bot: str | None
    index: int


@dataclass(frozen=True)
class PictureSide:
    seats: list[PictureSeat]
    points: int
    place: int
    has_won: bool
    causes: list[str]

    @property
    def name(self) -> str:
        return " & ".join(seat.name for seat in self.seats)


@dataclass(frozen=True)
class Picture:
    """``cards``: codes of playing cards, or short texts of a game's own.

    They belong to ``moment``, or ``cards_are_last``: they were the last that were played.
    """

    slug: str
    game: str
    day: str
    headline: str
    reason: str
    sides: list[PictureSide]
    points_are_places: bool
    moment: str
    cards: list[str]
    cards_are_last: bool

    @property
    def standing(self) -> str:
        """*Ada 154, Greedy 120*; where places decide *1. Ada, 2. Greedy*."""
        if self.points_are_places:
            return ", ".join(f"{side.place}. {side.name}" for side in self.sides)
        return ", ".join(f"{side.name} {side.points}" for side in self.sides)

    @property
    def description(self) -> str:
        """The story below the picture's headline, in words."""
        return " ".join(filter(None, (self.reason, f"{self.standing}.", self.moment)))


@dataclass(frozen=True)
class _Story:
    """The best of a match in words, its cards, and why each side has its points."""

    moment: str = ""
    cards: list[str] = field(default_factory=list)
    cards_are_last: bool = False
    causes: list[list[str]] = field(default_factory=list)


class _Page(TablePage):
    """The table as a spectator sees it; who has a name that cannot be drawn is called by place."""

    @cached_property
    def seat_panels(self) -> list[SeatPanel]:
        return [
            panel
            if picture_parts.drawable(panel.seat.name)
            else replace(panel, name=_("Player {n}").format(n=panel.index + 1))
            for panel in super().seat_panels
        ]


def picture_of(match: MatchSnapshot, *, with_cards: bool) -> Picture:
    """Of a finished match, as a spectator may know it, in the active language.

    Without cards nothing is said that may name one.
    """
    page = _Page(match, None, None)
    story = _story(page) if with_cards else _Story()
    return Picture(
        slug=match.game,
        game=words(match.rules.name),
        day=date_format(match.finished_at or match.updated_at, "DATE_FORMAT"),
        headline=headline(page),
        reason=MatchEnding(page, page_of(match.game)).reason,
        sides=_sides(page, story.causes),
        points_are_places=match.rules.points_are_places,
        moment=story.moment,
        cards=story.cards,
        cards_are_last=story.cards_are_last,
    )


def _sides(page: TablePage, causes: Sequence[list[str]]) -> list[PictureSide]:
    """The best side first; of equal ones that with the lower seats."""
    match = page.match
    points = match.outcome.points if match.outcome else ()
    sides = [
        PictureSide(
            seats=[_seat(page.seat_panels[seat]) for seat in seats],
            points=points[number],
            place=match.seats[seats[0]].place or 0,
            has_won=any(page.seat_panels[seat].is_winner for seat in seats),
            causes=causes[number] if number < len(causes) else [],
        )
        for number, seats in enumerate(match.sides)
    ]
    return sorted(sides, key=lambda side: side.place)


def _seat(panel: SeatPanel) -> PictureSeat:
    return PictureSeat(panel.name, panel.seat.name, panel.bot, panel.index)


def _story(page: TablePage) -> _Story:
    match, game_page = page.match, page_of(page.match.game)
    if match.version > LONGEST_LOOKED_AT:
        return _Story()
    events = [e for entry in standing_entries(match) for e in events_for(match, entry, None)]
    tell = page_of(page.match.game).moments
    names = [panel.name for panel in page.seat_panels]
    best = next(iter(tell(events, names)), None) if tell else None
    cards = [*_cards_in(best)] if best is not None else []
    return _Story(
        words(best) if best is not None else "",
        (cards or game_page.last_cards(events))[-MOST_CARDS:],
        not cards,
        _causes(match, events),
    )


def _cards_in(sentence: object) -> Iterator[str]:
    match sentence:
        case CardName():
            yield sentence.code
        case Phrase():
            for value in sentence.values.values():
                yield from _cards_in(value)
        case Listing():
            for value in sentence.values:
                yield from _cards_in(value)


def _causes(match: MatchSnapshot, events: Sequence[Event]) -> list[list[str]]:
    causes = page_of(match.game).match_causes
    if causes is None:
        return []
    by_side = causes(events, match.options)
    shows_signs = any_lost(by_side)
    return [
        [f"{words(cause.what)} {signed(cause.points, shows_signs=shows_signs)}" for cause in side]
        for side in by_side
    ]


# The picture of a finished match as an SVG of 1200 by 630, which previews of links expect.

WIDTH, HEIGHT = 1200, 630
GOLD: Final = "#ffd66b"
CREAM: Final = "#f6f1e4"
MOST_ROWS: Final = 6
HEADLINE_WIDTH: Final = 1040  # for the headline
_MARK: Final = (
    f'<path fill="{GOLD}" d="M50 4C57 23 93 40 93 63 93 76 83 85 72 85 65 85 59 82 55 77 56 85 60 '
    '92 67 97H33C40 92 44 85 45 77 41 82 35 85 28 85 17 85 7 76 7 63 7 40 43 23 50 4Z"/>'
)


class Drawing:
    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.felt = picture_parts.felt_of(picture.slug)
        self.letters = picture_parts.Lettering()

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

    def _text(
        self, words: str, x: float, y: float, size: float, anchor: picture_parts.Anchor = "middle"
    ) -> str:
        return self.letters.draw(
            picture_parts.Line(words, x, y, size, "text", self.felt.muted, anchor)
        )

    def _bold(
        self, words: str, x: float, y: float, size: float, anchor: picture_parts.Anchor = "start"
    ) -> str:
        return self.letters.draw(picture_parts.Line(words, x, y, size, "bold", CREAM, anchor))

    def _display(
        self,
        words: str,
        x: float,
        y: float,
        size: float,
        colour: str = CREAM,
        anchor: picture_parts.Anchor = "start",
    ) -> str:
        return self.letters.draw(picture_parts.Line(words, x, y, size, "display", colour, anchor))

    def _head(self) -> Iterator[str]:
        picture = self.picture
        yield self._display(picture.game, 66, 98, 40)
        name = picture_parts.fitted(PLACE.name, 36, 480, "display")
        brand = 1134 - picture_parts.width(name, 36, "display")
        yield f'<g transform="translate({brand - 44:.0f} 66) scale(.36)">{_MARK}</g>'
        yield self._display(name, brand, 98, 36)
        size = next(
            (
                n
                for n in (64, 52)
                if picture_parts.width(picture.headline, n, "display") < HEADLINE_WIDTH
            ),
            42,
        )
        headline = picture_parts.fitted(picture.headline, size, HEADLINE_WIDTH, "display")
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
        yield self._bold(
            picture_parts.fitted(side.name, 32, 470, "bold"), centre, 406, 32, "middle"
        )
        for number, row in enumerate(picture_parts.in_rows(side.causes, " · ", 21, 500, 2)):
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
        name = picture_parts.fitted(side.name, 30, 430, "bold")
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
            drawn = picture_parts.card(code) if is_card(code) else self._tile(code)
            yield f'<g transform="{place} scale(.8)">{drawn}</g>'
        if cards and self.picture.cards_are_last:
            yield self._text(_("The last cards"), 1122, 474, 19, "end")
        rows = picture_parts.wrapped(self.picture.moment, 26, 1050 - 84 * len(cards), 2, "bold")
        for number, row in enumerate(rows):
            yield self._bold(row, 66, 560 - 17 * (len(rows) - 1) + 34 * number, 26)

    def _tile(self, text: str) -> str:
        """A card of a game's own: its value on paper."""
        size = 52 if len(text) < 3 else 40
        return picture_parts.paper() + self._display(
            text, 50, 82, size, picture_parts.BLACK, "middle"
        )


def _colour(side: PictureSide) -> str:
    return GOLD if side.has_won else CREAM


def _face(seat: PictureSeat, side: PictureSide, x: float, y: float, size: float) -> str:
    ring = (
        f'<circle cx="24" cy="24" r="25.5" fill="none" stroke="{GOLD}" stroke-width="2.5"/>'
        if side.has_won
        else ""
    )
    place = f"translate({x:.1f} {y:.1f}) scale({size / 48 * 0.92:.3f})"
    return f'<g transform="{place}">{picture_parts.face(seat.face, seat.bot, seat.index)}{ring}</g>'


def _ground(felt: picture_parts.Felt) -> str:
    """The wood of the rim, the light on the felt, what is woven into it, the shape of a face."""
    return (
        '<linearGradient id="rim" x1="0" y1="0" x2=".4" y2="1"><stop stop-color="#7b5232"/>'
        '<stop offset=".5" stop-color="#51321c"/><stop offset="1" stop-color="#3a2313"/>'
        "</linearGradient>"
        f'<pattern id="woven" width="{felt.tile_width}" height="{felt.tile_height}" '
        f'patternUnits="userSpaceOnUse">{felt.tile}</pattern>'
        '<clipPath id="round"><circle cx="24" cy="24" r="24"/></clipPath>'
    )


def _table(felt: picture_parts.Felt) -> str:
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


@lru_cache(maxsize=1)
def place_png(name: str, logo: str, _felt: str) -> bytes:
    """The picture of a link to the place: its name and its logo on its felt."""
    felt, letters = picture_parts.felt_of("any"), picture_parts.Lettering()
    words = picture_parts.fitted(name, 110, HEADLINE_WIDTH, "display")
    drawn = letters.draw(picture_parts.Line(words, 600, 480, 110, "display", CREAM, "middle"))
    mark = f'<g transform="translate(500 140) scale(2)">{_MARK}</g>'
    if logo:
        address = f"data:image/png;base64,{logo}"
        mark = f'<image x="480" y="110" width="240" height="240" href="{address}"/>'
    return png_of(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}"><defs>{_ground(felt)}{letters.outlines}</defs>'
        f"{_table(felt)}{mark}{drawn}</svg>"
    )


PICTURES_KEPT: Final = 32  # pictures in the memory of a process


@dataclass(frozen=True)
class Wanted:
    """A match and whether its cards may be shown; ``tag`` names all that its picture depends on."""

    tag: str
    match: MatchSnapshot = field(compare=False)
    with_cards: bool = field(compare=False)


@require_safe
def share_svg(request: HttpRequest, match_id: UUID) -> HttpResponseBase:
    return _picture(request, match_id, "image/svg+xml")


@require_safe
def share_png(request: HttpRequest, match_id: UUID) -> HttpResponseBase:
    return _picture(request, match_id, "image/png")


def _picture(request: HttpRequest, match_id: UUID, kind: str) -> HttpResponseBase:
    match = found_match(request, match_id)
    if match.status != "finished":
        raise Http404("There is a picture of a match when it is finished.")
    check_installed(match.rules)
    with override(_language(request)):
        wanted = _wanted(named_for(match, None, gettext))  # it is there to be passed on
        answer = get_conditional_response(request, etag=f'"{wanted.tag}-{kind[-3:]}"')
        if answer is None:
            answer = HttpResponse(_drawn(request, wanted, kind), content_type=kind)
    answer["ETag"] = f'"{wanted.tag}-{kind[-3:]}"'
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ("Cookie", "Accept-Language"))
    return answer


def _language(request: HttpRequest) -> str | None:
    """The one that the address names, else the reader's."""
    named = request.GET.get("lang", "")
    return named if named in dict(settings.LANGUAGES) else get_language()


def _wanted(match: MatchSnapshot) -> Wanted:
    with_cards = may_tell_all(match, None)
    facts = (
        _design(),
        PLACE.name,
        picture_parts.felt_of(match.game),
        match.id,
        match.updated_at,
        match.version,
        match.names,
        with_cards,
    )
    named = f"{facts}{tag_of_language()}"
    return Wanted(blake2s(named.encode(), digest_size=12).hexdigest(), match, with_cards)


@cache
def _design() -> str:
    """Names how pictures are drawn by this release."""
    folder = Path(__file__).parent
    sources = [
        *sorted(folder.glob("picture*.py")),
        *sorted(picture_parts.OUTLINES_FOLDER.glob("*.json")),
    ]
    texts = (source.read_bytes() for source in sources)
    return blake2s(b"".join(texts), digest_size=8).hexdigest()


def _drawn(request: HttpRequest, wanted: Wanted, kind: str) -> str | bytes:
    if Pictures.take(request) is not None:
        raise TooManyRequests
    return _svg(wanted) if kind == "image/svg+xml" else _png(wanted)


@lru_cache(maxsize=PICTURES_KEPT)
def _svg(wanted: Wanted) -> str:
    return str(Drawing(picture_of(wanted.match, with_cards=wanted.with_cards)))


@lru_cache(maxsize=PICTURES_KEPT)
def _png(wanted: Wanted) -> bytes:
    return png_of(_svg(wanted))
