"""Landing page, lobby, new match, rules: the pages around the table."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from decks import selectors as decks
from games import selectors
from games.rules import catalog
from games.rules.base import AnyGame
from games.services import matches
from games.services.matches import SeatWish
from games.services.refusals import Refused
from games.web import options_form
from games.web.listing import listed
from games.web.options_form import OptionsForm
from games.web.seat_forms import SeatForm, seat_forms
from games.web.visitors import player, user_id

SHOWN = 30


@require_GET
def landing(request: HttpRequest) -> HttpResponse:
    return render(request, "games/landing.html", {"games": catalog.GAMES})


@require_POST
def quick_match(request: HttpRequest, slug: str) -> HttpResponse:
    """One click: a match against the computer, as a guest if need be."""
    game = game_or_404(slug)
    rivals = sorted((b for b in game.bots if b.rated), key=lambda b: b.level)
    rival = rivals[len(rivals) // 2].slug
    seats = game.seats(game.options())
    wishes = [SeatWish("me"), *[SeatWish("bot", bot=rival)] * (seats - 1)]
    table = matches.open_match(creator=player(request), game=slug, seats=wishes)
    return redirect("table", table.id)


@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    user = user_id(request)
    own = selectors.matches(user=user, mine=True)[:SHOWN]
    free = selectors.matches(user=user, joinable=True).exclude(seats__user=user)[:SHOWN]
    running = selectors.matches(user=None).filter(status="active")[:SHOWN]
    context = {
        "own": [listed(match, user) for match in own],
        "free": [listed(match, user) for match in free],
        "running": [listed(match, user) for match in running],
    }
    return render(request, "games/lobby.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def new_match(request: HttpRequest) -> HttpResponse:
    """The form keeps what was typed: changing game or preset reloads it, errors come with it."""
    sent = request.POST if request.method == "POST" else request.GET
    game = game_or_404(sent.get("game", catalog.GAMES[0].slug))
    preset = sent.get("preset") if sent.get("preset") in game.presets else None
    if request.method == "POST":
        return _open(request, game)
    form = OptionsForm(game, initial=options_form.initial(game, preset))
    count = _count(sent.get("players"), game, preset)
    return _new_match_page(request, game, form, seat_forms(game, count), preset=preset)


def _open(request: HttpRequest, game: AnyGame) -> HttpResponse:
    form = OptionsForm(game, request.POST)
    count = _count(request.POST.get("players"), game, None)
    seats = seat_forms(game, count, request.POST)
    fault = None
    if form.is_valid() and all(seat.is_valid() for seat in seats):
        deck = request.POST.get("deck") or None
        try:
            table = matches.open_match(
                creator=player(request),
                game=game.slug,
                seats=[seat.wish(deck) for seat in seats],
                options=form.values(),
                visibility=request.POST.get("visibility", "unlisted"),
                turn_seconds=_seconds(request.POST.get("turn_seconds")),
            )
        except Refused as refused:
            fault = str(refused)
        else:
            return redirect("table", table.id)
    return _new_match_page(request, game, form, seats, fault=fault, status=422)


def _new_match_page(
    request: HttpRequest,
    game: AnyGame,
    form: OptionsForm,
    seats: list[SeatForm],
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    user = user_id(request)
    context = {
        "game": game,
        "games": catalog.GAMES,
        "form": form,
        "seats": seats,
        "decks": decks.of(user) if user and game.slug == "pazaak" else [],
        "turn_times": TURN_TIMES,
        **more,
    }
    return render(request, "games/new_match.html", context, status=status)


TURN_TIMES = [
    ("", "No limit"),
    ("30", "30 seconds"),
    ("120", "2 minutes"),
    ("3600", "1 hour"),
    ("86400", "1 day"),
    ("259200", "3 days"),
]


def _seconds(text: str | None) -> int | None:
    return int(text) if text in dict(TURN_TIMES) and text else None


def _count(text: str | None, game: AnyGame, preset: str | None) -> int:
    """How many seats the form shows: as asked for, else as the preset has it."""
    if text and text.isdecimal():
        return min(max(int(text), game.min_seats), game.max_seats)
    return game.seats(game.choose_options(preset=preset))


@require_GET
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    game = game_or_404(slug)
    return render(request, [f"games/rules/{slug}.html", "games/rules/any.html"], {"game": game})


def game_or_404(slug: str) -> AnyGame:
    try:
        return catalog.find(slug)
    except KeyError:
        raise Http404(f"The house does not play {slug!r}.") from None
