"""Simulations as pages, and the forecast of house rules that a new match shows."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from cardroom.arena.reports import Forecast, to_json
from cardroom.arena.request import LARGEST_SEED
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.values import BadOptions, Options
from config.refusals import Refusal
from config.words import sentence_of
from games.simulations import house_rules, work
from games.simulations.models import Simulation
from games.web.landing import game_or_404
from games.web.parts import options_form
from games.web.parts.options_form import OptionsForm
from games.web.parts.visitor import current_or_guest_user, once, user_id

SIMULATIONS_PER_PAGE = 30
DRAWN_SOON = timedelta(minutes=1)


class SimulationForm(forms.Form):
    """The number of matches and their bots; the game and its options are forms of their own."""

    games = forms.IntegerField(
        label=gettext_lazy("Matches"), min_value=1, max_value=work.MOST_GAMES, initial=1000
    )
    bots = forms.CharField(
        label=gettext_lazy("Computers"),
        required=False,
        max_length=400,
        help_text=gettext_lazy(
            "One for each seat, separated by commas. The last one also takes the remaining seats."
        ),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=LARGEST_SEED,
        initial=1,
        help_text=gettext_lazy("The same seed gives the same figures."),
    )
    swap = forms.BooleanField(
        label=gettext_lazy("Swap seats"),
        required=False,
        help_text=gettext_lazy("Play the same decks again with every rotation of the computers."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    def request(self) -> dict[str, Any]:
        bots = (name.strip() for name in self.cleaned_data["bots"].split(","))
        return self.cleaned_data | {"bots": tuple(name for name in bots if name)}


@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """The own simulations and the form for a new one, which keeps what was typed."""
    sent = request.POST if request.method == "POST" else request.GET
    game = game_or_404(sent.get("game", catalog.GAMES[0].slug))
    if request.method == "POST":
        return _start(request, game)
    usual = {"bots": game.stand_in}
    return _page(
        request,
        game,
        SimulationForm(initial=usual),
        OptionsForm(game, initial=options_form.initial(game)),
    )


def _start(request: HttpRequest, game: AnyGame) -> HttpResponse:
    form, options = SimulationForm(request.POST), OptionsForm(game, request.POST)
    if form.is_valid() and options.is_valid():
        try:
            simulation_id = once(
                request,
                lambda user: (
                    work.start(
                        owner=user, game=game.slug, options=options.values(), **form.request()
                    ).id
                ),
            )
        except Refusal as refused:
            form.add_error(None, sentence_of(refused))
        else:
            return redirect("simulation", simulation_id)
    return _page(request, game, form, options, status=422)


def _page(
    request: HttpRequest,
    game: AnyGame,
    form: SimulationForm,
    options: OptionsForm,
    *,
    status: int = 200,
) -> HttpResponse:
    mine = work.simulations_of(user_id(request)).defer("report", "request")
    context = {
        "game": game,
        "games": catalog.GAMES,
        "form": form,
        "options": options,
        "own": mine[:SIMULATIONS_PER_PAGE],
    }
    return render(request, "games/simulations.html", context, status=status)


@never_cache
@require_GET
def detail(request: HttpRequest, simulation_id: UUID) -> HttpResponse:
    """Progress while it runs (htmx asks for this page again), figures and plots at the end."""
    simulation = _own(request, simulation_id)
    report = work.report_of(simulation)
    context = {
        "simulation": simulation,
        "game": simulation.rules,
        "requested": work.request_of(simulation),
        "summary": report.summary if report else None,
        "plots": [(name, PLOT_TITLES.get(name, name)) for name in work.pictures_of(simulation)],
        "changes": simulation.status == "running" or _is_drawn_soon(simulation),
    }
    return render(request, "games/simulation.html", context)


def _is_drawn_soon(simulation: Simulation) -> bool:
    """The figures are shown before the plots."""
    if (
        simulation.finished_at is None
        or simulation.status != "finished"
        or simulation.pictures.exists()
    ):
        return False
    return simulation.finished_at > timezone.now() - DRAWN_SOON


PLOT_TITLES = {
    "length.png": gettext_lazy("How long the matches were"),
    "survival.png": gettext_lazy("How many still ran after so long"),
    "wins.png": gettext_lazy("Wins of each seat"),
}


@require_POST
def cancel(request: HttpRequest, simulation_id: UUID) -> HttpResponse:
    work.cancel(simulation_id=_own(request, simulation_id).id, owner=current_or_guest_user(request))
    return redirect("simulation", simulation_id)


@require_GET
def plot(request: HttpRequest, simulation_id: UUID, name: str) -> HttpResponse:
    png = work.picture(_own(request, simulation_id), name)
    if png is None:
        raise Http404
    return HttpResponse(png, content_type="image/png")


@require_GET
def report_file(request: HttpRequest, simulation_id: UUID) -> HttpResponse:
    report = work.report_of(_own(request, simulation_id))
    if report is None:
        raise Http404
    return HttpResponse(
        to_json(report),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{simulation_id}.json"'},
    )


def _own(request: HttpRequest, simulation_id: UUID) -> Simulation:
    simulation = work.simulations_of(user_id(request)).filter(id=simulation_id).first()
    if simulation is None:
        raise Http404("There is no such simulation, or it is not yours.")
    return simulation


# The forecast of matches by the options of the form: a line of the form that arrives later.
#
# A worker tries the options; until then the line asks again, a few times. Without JavaScript
# there is no line.

SECONDS_A_MOVE: Final = 3  # of people who know the game
ASKED_AT_MOST: Final = 10
NOT_RATED: Final = gettext_noop("As so many never end, matches by these rules are not rated.")
WORTH_SAYING: Final = 0.005  # smaller shares would read as nothing


@never_cache
@require_GET
def forecast(request: HttpRequest) -> HttpResponse:
    game = game_or_404(request.GET.get("game", ""))
    options = _options_asked(game, request)
    expected = house_rules.forecast_of(game, options) if options is not None else Forecast()
    count = request.GET.get("asked", "")
    times = int(count) if count.isdecimal() and len(count) < 3 else 0
    context = {
        "sentence": sentence(expected) if expected is not None else "",
        "again": times + 1 if expected is None and times < ASKED_AT_MOST else 0,
    }
    return render(request, "games/parts/forecast.html", context)


def _options_asked(game: AnyGame, request: HttpRequest) -> Options | None:
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
