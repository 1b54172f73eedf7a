"""A picture of one's result, to share. It shows no card, so it may be shared before the day ends.

Its address is known to nobody who was not given it; an erased account's is not there any more.
"""

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from cardroom.rules import catalog
from config.api.throttles import Pictures
from config.refusals import TooManyRequests
from games.daily.models import Entry
from games.daily.results import own_result, results_of
from games.daily.selectors import streak_of
from games.language import words
from games.web.daily.plot import plot_of
from games.web.daily.scores import score_words
from games.web.share.drawing import CREAM, GOLD, HEIGHT, WIDTH
from games.web.share.lettering import Lettering, Line, fitted
from games.web.share.png import png_of
from games.web.share.sprites import Felt, felt_of

KEPT: Final = 16
ROOM: Final = 1060
BARS: Final = (760, 130, 220.0, 415.0)  # width, height, left, top


@require_safe
def share_picture(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    rows = Entry.objects.select_related("daily__deal", "account").defer("daily__deal__seed")
    entry = rows.filter(id=entry_id).first()
    if entry is None or own_result(entry).score is None:
        raise Http404("There is a picture when the deal was played to its end.")
    if Pictures.take(request) is not None:
        raise TooManyRequests
    answer = HttpResponse(_png(drawn(entry)), content_type="image/png")
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ("Cookie", "Accept-Language"))
    return answer


@lru_cache(maxsize=KEPT)
def _png(svg: str) -> bytes:
    return png_of(svg)


def drawn(entry: Entry) -> str:
    """The result as an SVG of the size that previews of links expect."""
    felt, letters = felt_of(entry.daily.game), Lettering()
    body = "".join(letters.draw(line) for line in _lines(entry, felt)) + "".join(_bars(entry))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img"><title>{escape(_title(entry))}</title>'
        f"<defs>{letters.outlines}</defs>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{felt.deep}"/>{body}</svg>\n'
    )


def _title(entry: Entry) -> str:
    return _("Deal of the day") + ": " + words(catalog.find(entry.daily.game).name)


def _lines(entry: Entry, felt: Felt) -> Iterator[Line]:
    daily, score = entry.daily, own_result(entry).score or 0
    yield Line(_title(entry), 66, 98, 44, "display", CREAM)
    yield Line("Cardroom", 1134, 98, 36, "display", CREAM, "end")
    day = date_format(daily.day, "DATE_FORMAT")
    yield Line(day, 66, 146, 26, "text", felt.muted)
    name = fitted(entry.account.display_name, 40, ROOM, "bold")
    yield Line(name, 600, 240, 40, "bold", CREAM, "middle")
    in_words = score_words(daily, score).replace("−", "–")  # the type has no minus
    yield Line(in_words, 600, 335, 84, "display", GOLD, "middle")
    results = results_of(daily, None)
    if results is not None and results.played:
        place = {"place": results.place_of(score), "of": results.played}
        yield Line(_("Place %(place)d of %(of)d") % place, 600, 390, 30, "text", CREAM, "middle")
    days = streak_of(entry.account_id).current
    if days > 1:
        streak = ngettext("%(n)d day in a row", "%(n)d days in a row", days) % {"n": days}
        yield Line(streak, 600, 600, 28, "text", felt.muted, "middle")


def _bars(entry: Entry) -> Iterator[str]:
    """How all people did, once that may be known."""
    results = results_of(entry.daily, None)
    plot = plot_of(results, own_result(entry).score) if results else None
    if plot is None:
        return
    width, height, left, top = BARS
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
