"""The deals of today, the results of a day with their plot, and the picture of a result."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cached_property, lru_cache
from html import escape
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST, require_safe

from accounts.models import User
from accounts.signing_in import account_of
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from config.api.throttles import Pictures
from config.club import PLACE
from config.pictures import png_of
from config.refusals import TooManyRequests
from games.daily import playing, selectors
from games.daily.models import DailyDeal, Entry
from games.language import words
from games.templatetags.text import moment
from games.web.parts.visitor import once, user_id
from games.web.picture import CREAM, GOLD
from games.web.picture import HEIGHT as HIGH
from games.web.picture import WIDTH as WIDE
from games.web.picture_parts import Felt, Lettering, Line, felt_of, fitted

# Scores and computers in words.


def score_words(daily: DailyDeal, score: int) -> str:
    """*2 of 3 beaten*, *+12*."""
    if catalog.find(daily.game).points_are_places:
        return _("%(n)d of %(of)d beaten") % {"n": score, "of": len(daily.bots)}
    return f"{score:+d}".replace("-", "−")


def computers(daily: DailyDeal) -> list[str]:
    game = catalog.find(daily.game)
    return [words(game.bot(slug).name) for slug in daily.bots]


def computer_name(daily: DailyDeal, slug: str) -> str:
    return words(catalog.find(daily.game).bot(slug).name)


# Scores as small bars, a row for people and one for each computer, on one scale.

WIDTH: Final = 320
HEIGHT: Final = 40
MOST_BARS: Final = 32


@dataclass(frozen=True)
class Bar:
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Row:
    """``bot`` is empty for people."""

    bot: str
    matches: int
    mean: float
    bars: list[Bar]


@dataclass(frozen=True)
class Plot:
    """``mark`` is where the reader's own score lies."""

    low: int
    high: int
    rows: list[Row]
    mark: float | None
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True)
class Scale:
    """Scores from ``low`` on, ``step`` of them to a bar."""

    low: int
    step: int
    bars: int

    def bar_of(self, score: int) -> int:
        return (score - self.low) // self.step

    def x_of(self, bar: float) -> float:
        return round(WIDTH * bar / self.bars, 1)


def plot_of(results: selectors.Results, own: int | None) -> Plot | None:
    """``None`` where nobody has played."""
    rows = {"": results.people, **results.computers}
    scores = [score for counts in rows.values() for score in counts]
    if not scores:
        return None
    low, high = min(scores), max(scores)
    step = -(-(high - low + 1) // MOST_BARS)
    scale = Scale(low, step, (high - low) // step + 1)
    mark = None if own is None else scale.x_of(scale.bar_of(own) + 0.5)
    return Plot(low, high, [_row(*each, scale) for each in rows.items() if each[1]], mark)


def _row(bot: str, counts: Mapping[int, int], scale: Scale) -> Row:
    bars = [0] * scale.bars
    for score, count in counts.items():
        bars[scale.bar_of(score)] += count
    matches, most = sum(bars), max(bars)
    mean = sum(score * count for score, count in counts.items()) / matches
    gap = 1 if scale.bars > 1 else 0
    drawn = [
        Bar(
            scale.x_of(n),
            round(HEIGHT * (1 - count / most), 1),
            round(WIDTH / scale.bars - gap, 1),
            round(HEIGHT * count / most, 1),
        )
        for n, count in enumerate(bars)
        if count
    ]
    return Row(bot, matches, mean, drawn)


@dataclass(frozen=True)
class DealPage:
    """A deal as one reader sees it."""

    daily: DailyDeal
    entry: Entry | None
    reader: UUID | None

    @property
    def game(self) -> AnyGame:
        return catalog.find(self.daily.game)

    @property
    def computers(self) -> str:
        return ", ".join(computers(self.daily))

    @cached_property
    def own(self) -> selectors.Own | None:
        return selectors.own_result(self.entry) if self.entry else None

    @property
    def own_score(self) -> str:
        score = self.own.score if self.own else None
        return "" if score is None else score_words(self.daily, score)

    @cached_property
    def results(self) -> selectors.Results | None:
        return selectors.results_of(self.daily, self.reader)

    @property
    def own_place(self) -> int | None:
        if self.results is None or self.own is None or self.own.score is None:
            return None
        return self.results.place_of(self.own.score)

    @property
    def lines(self) -> list[tuple[int, User, str]]:
        if self.results is None:
            return []
        return [(n.place, n.person, score_words(self.daily, n.score)) for n in self.results.lines]

    @cached_property
    def plot(self) -> Plot | None:
        return plot_of(self.results, self.own.score if self.own else None) if self.results else None

    @property
    def rows(self) -> list[tuple[str, str, object]]:
        """Average scores and how they are drawn."""
        if self.plot is None:
            return []
        return [
            (computer_name(self.daily, row.bot) if row.bot else "", self._mean(row.mean), row)
            for row in self.plot.rows
        ]

    def _mean(self, mean: float) -> str:
        sign = "" if self.game.points_are_places else "−" if mean < 0 else "+"
        return sign + number_format(abs(mean), 1)

    @property
    def low(self) -> str:
        return score_words(self.daily, self.plot.low) if self.plot else ""

    @property
    def high(self) -> str:
        return score_words(self.daily, self.plot.high) if self.plot else ""

    @property
    def seed(self) -> str:
        return bytes(self.daily.deal.seed).hex() if self.daily.is_over else ""


@never_cache
@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    day, reader = selectors.today(), user_id(request)
    user = account_of(request)
    deals = selectors.deals_of(day)
    context = {
        "day": day,
        "pages": _pages(deals, reader),
        "yesterday": _pages(selectors.deals_of(day - selectors.ONE_DAY), reader),
        "tomorrow": [
            (catalog.find(one.game), one.deal)
            for one in selectors.deals_of(day + selectors.ONE_DAY)
        ],
        "ends_at": deals[0].ends_at if deals else None,
        "streak": selectors.streak_of(user.pk) if user else None,
    }
    return render(request, "games/daily/overview.html", context | _opening(user, day))


def _opening(user: User | None, day: date) -> dict[str, Any]:
    """To whom the deals of a day open, and when, in the time of the reader."""
    admission = selectors.admission(user, day)
    begins = datetime.combine(admission.opens_on, time(), UTC)
    return {
        "admission": admission,
        "opens": format_html(words(admission.words_with("{}")), moment(begins)),
    }


def _pages(deals: list[DailyDeal], reader: UUID | None) -> list[DealPage]:
    entries = selectors.entries_of(reader, deals)
    return [DealPage(one, entries.get(one.pk), reader) for one in deals]


@never_cache
@require_GET
def deal_page(request: HttpRequest, day: str, game: str) -> HttpResponse:
    try:
        daily = selectors.find_deal(selectors.day_of(day), game)
    except selectors.NoSuchDeal:
        raise Http404("There is no such deal of the day.") from None
    (page,) = _pages([daily], user_id(request))
    context = {
        "page": page,
        "before": daily.day - selectors.ONE_DAY,
        "after": daily.day + selectors.ONE_DAY if daily.day < selectors.today() else None,
    }
    if daily.day == selectors.today():
        context |= _opening(account_of(request), daily.day)
    return render(request, "games/daily/deal.html", context)


@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Begins the one match of today, or one for practice; a visitor becomes a guest for that."""
    game, day = request.POST.get("game", ""), request.POST.get("day", "")
    if day:
        practised = selectors.day_of(day)
        match_id = once(request, lambda u: playing.practise(user=u, day=practised, game=game).id)
        return redirect("table", match_id)
    if not isinstance(request.user, User):
        return redirect("account_login")
    match, _ = playing.play(user=request.user, game=game)
    return redirect("table", match.id)


# A picture of one's result, to share. It shows no card, so it may be shared before the day ends.
#
# Its address is known to nobody who was not given it; an erased account's is not there any more.

PICTURES_KEPT: Final = 16
LINE_WIDTH: Final = 1060
BARS_BOX: Final = (760, 130, 220.0, 415.0)  # width, height, left, top


@require_safe
def share_picture(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    rows = Entry.objects.select_related("daily__deal", "account").defer("daily__deal__seed")
    entry = rows.filter(id=entry_id).first()
    if entry is None or selectors.own_result(entry).score is None:
        raise Http404("There is a picture when the deal was played to its end.")
    if Pictures.take(request) is not None:
        raise TooManyRequests
    answer = HttpResponse(_png(drawn(entry)), content_type="image/png")
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ("Cookie", "Accept-Language"))
    return answer


@lru_cache(maxsize=PICTURES_KEPT)
def _png(svg: str) -> bytes:
    return png_of(svg)


def drawn(entry: Entry) -> str:
    """The result as an SVG of the size that previews of links expect."""
    felt, letters = felt_of(entry.daily.game), Lettering()
    body = "".join(letters.draw(line) for line in _lines(entry, felt)) + "".join(_bars(entry))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" '
        f'height="{HIGH}" role="img"><title>{escape(_title(entry))}</title>'
        f"<defs>{letters.outlines}</defs>"
        f'<rect width="{WIDE}" height="{HIGH}" fill="{felt.deep}"/>{body}</svg>\n'
    )


def _title(entry: Entry) -> str:
    return _("Deal of the day") + ": " + words(catalog.find(entry.daily.game).name)


def _lines(entry: Entry, felt: Felt) -> Iterator[Line]:
    daily, score = entry.daily, selectors.own_result(entry).score or 0
    yield Line(_title(entry), 66, 98, 44, "display", CREAM)
    yield Line(PLACE.name, 1134, 98, 36, "display", CREAM, "end")
    day = date_format(daily.day, "DATE_FORMAT")
    yield Line(day, 66, 146, 26, "text", felt.muted)
    name = fitted(entry.account.display_name, 40, LINE_WIDTH, "bold")
    yield Line(name, 600, 240, 40, "bold", CREAM, "middle")
    in_words = score_words(daily, score).replace("−", "–")  # the type has no minus
    yield Line(in_words, 600, 335, 84, "display", GOLD, "middle")
    results = selectors.results_of(daily, None)
    if results is not None and results.played:
        place = {"place": results.place_of(score), "of": results.played}
        yield Line(_("Place %(place)d of %(of)d") % place, 600, 390, 30, "text", CREAM, "middle")
    days = selectors.streak_of(entry.account_id).current
    if days > 1:
        streak = ngettext("%(n)d day in a row", "%(n)d days in a row", days) % {"n": days}
        yield Line(streak, 600, 600, 28, "text", felt.muted, "middle")


def _bars(entry: Entry) -> Iterator[str]:
    """The results of all people, once they may be known."""
    results = selectors.results_of(entry.daily, None)
    plot = plot_of(results, selectors.own_result(entry).score) if results else None
    if plot is None:
        return
    width, height, left, top = BARS_BOX
    across, down = width / plot.width, height / plot.height
    people = (bar for row in plot.rows if not row.bot for bar in row.bars)
    for bar in people:
        yield (
            f'<rect x="{left + bar.x * across:.1f}" y="{top + bar.y * down:.1f}" '
            f'width="{bar.width * across:.1f}" height="{bar.height * down:.1f}" '
            f'fill="{CREAM}" fill-opacity=".55"/>'
        )
    if plot.mark is not None:
        x = left + plot.mark * across
        yield f'<path d="M{x:.1f} {top - 8}V{top + height}" stroke="{GOLD}" stroke-width="5"/>'
