"""What matches by the options of the form are like: a line of the form that arrives later.

A worker tries the options; until then the line asks again, a few times. Without JavaScript there is
no line.
"""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from cardroom.arena.reports.forecast import Forecast
from cardroom.rules.errors import BadOptions
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options
from games.simulations import house_rules
from games.web.parts.options_form import OptionsForm
from games.web.site.landing import game_or_404

SECONDS_A_MOVE: Final = 3  # of people who know the game
ASKED_AT_MOST: Final = 10
NOT_RATED: Final = gettext_noop("As so many never end, matches by these rules are not rated.")
WORTH_SAYING: Final = 0.005  # smaller shares would read as nothing


@never_cache
@require_GET
def forecast(request: HttpRequest) -> HttpResponse:
    game = game_or_404(request.GET.get("game", ""))
    options = _options(game, request)
    expected = house_rules.forecast_of(game, options) if options is not None else Forecast()
    count = request.GET.get("asked", "")
    times = int(count) if count.isdecimal() and len(count) < 3 else 0
    context = {
        "sentence": sentence(expected) if expected is not None else "",
        "again": times + 1 if expected is None and times < ASKED_AT_MOST else 0,
    }
    return render(request, "games/parts/forecast.html", context)


def _options(game: AnyGame, request: HttpRequest) -> Options | None:
    form = OptionsForm(game, request.GET)
    if not form.is_valid():
        return None
    try:
        return game.choose_options(form.values())  # type: ignore[no-any-return]
    except BadOptions:
        return None


def sentence(expected: Forecast) -> str:
    """In words: how long, whom the first seat favours, ties, matches without an end."""
    if not expected.matches:
        return ""
    facts = [
        _length(expected),
        gettext("the first seat wins {share}").format(share=_share(expected.first)),
    ]
    if expected.ties >= WORTH_SAYING:
        facts.append(gettext("{share} are ties").format(share=_share(expected.ties)))
    if expected.endless >= WORTH_SAYING:
        endless = gettext("{share} never end: a limit stops them")
        facts.append(endless.format(share=_share(expected.endless)))
    whole = gettext("{facts}. Computers played {n} matches by these rules.")
    whole = whole.format(facts="; ".join(facts), n=f"{expected.matches:,}")
    return whole if house_rules.ends(expected) else f"{whole} {gettext(NOT_RATED)}"


def _share(of_one: float) -> str:
    return f"{of_one:.0%}"


def _length(expected: Forecast) -> str:
    minutes = max(1, round(expected.plies * SECONDS_A_MOVE / 60))
    length = ngettext(
        "About a minute with {seconds} seconds a move",
        "About {n} minutes with {seconds} seconds a move",
        minutes,
    )
    return length.format(n=minutes, seconds=SECONDS_A_MOVE)
