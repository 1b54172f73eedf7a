"""Landing page, quick match, lobby and rules pages."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from games.language import is_english
from games.matches.seating import opening
from games.matches.seating.seats import SeatRequest
from games.matches.selectors.lists import find_matches, invitations_of
from games.matches.selectors.results import results_against_bots
from games.outside.failing import or_else
from games.ratings.selectors import ratings_of
from games.rules import catalog
from games.rules.game import AnyGame
from games.web.front.continuing import NOT_OVER, continuing
from games.web.front.results import ResultFilter, records_of, result_lines
from games.web.front.seeking import panel
from games.web.parts.match_list import listing_of
from games.web.parts.options_form import option_fields, preset_name
from games.web.parts.rules_text import specification, text_of
from games.web.parts.visitor import once, user_id
from games.web.site import suggestions
from games.web.tables import demonstration

SHOWN = 30


@require_GET
def landing(request: HttpRequest) -> HttpResponse:
    user = user_id(request)
    results = results_against_bots(user) if user else []
    tiles = [
        (
            each.game,
            suggestions.suggestion(
                each.game, [one for one in results if one.game == each.game.slug]
            ),
            each.waiting,
        )
        for each in panel(None).games
    ]
    context = {
        "games": catalog.GAMES,
        "tiles": tiles,
        "continuing": continuing(user),
        "records": records_of(user),
        "demo": demonstration(),
    }
    return render(request, "games/landing.html", context)


@require_POST
def quick_match(request: HttpRequest, slug: str) -> HttpResponse:
    """A match against the computer with one click; a visitor becomes a guest.

    The computer is the easiest one, or what the player's own results suggest.
    """
    game = game_or_404(slug)
    rival = suggestions.rival_of(user_id(request), game)
    preset = game.quick_preset
    seats = game.seats(game.choose_options(preset=preset))
    wishes = [SeatRequest("me"), *[SeatRequest("bot", bot=rival.slug)] * (seats - 1)]
    match_id = once(
        request,
        lambda user: opening.open_match(creator=user, game=slug, seats=wishes, preset=preset).id,
    )
    return redirect("table", match_id)


@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    user = user_id(request)
    chosen = ResultFilter.of(request.GET, is_somebody=user is not None)
    own, free = find_matches(user=user, mine=True), find_matches(user=user, joinable=True)
    invited = invitations_of(user)[:SHOWN] if user is not None else []
    if user is not None:
        own = own.exclude(seats__invited=user)
        free = free.exclude(seats__user=user).exclude(seats__invited=user)
    own = own.filter(status__in=NOT_OVER)
    running = find_matches(user=None).filter(status="active")[:SHOWN]
    context = {
        "invitations": [listing_of(match, user) for match in invited],
        "own": [listing_of(match, user) for match in own[:SHOWN]],
        "free": [listing_of(match, user) for match in free[:SHOWN]],
        "running": [listing_of(match, user) for match in running],
        "chosen": chosen,
        "games": catalog.GAMES,
        "results": result_lines(user, mine=chosen.mine, game=chosen.game),
        "records": records_of(user),
        "somebody": panel(user),
    }
    return render(request, "games/lobby.html", context)


@require_GET
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    game = game_or_404(slug)
    as_text = "text/plain" in request.headers.get("Accept", "")
    if as_text and is_english():
        return HttpResponse(specification(game), "text/plain; charset=utf-8")
    ratings = ratings_of(slug)
    options = [(field, game.option_words[name].note) for name, field in option_fields(game)]
    context = {
        "game": game,
        "options": options,
        "presets": [preset_name(game, name) for name in game.presets],
        "bots": [(bot, ratings.get(bot.slug)) for bot in game.bots],
        "rated": bool(ratings),
    }
    own, plain = f"games/tables/{slug}/rules.html", "games/rules/any.html"
    page = or_else(
        slug,
        lambda: render(request, [own, plain], context),
        lambda: render(request, plain, context),
    )
    if not as_text:
        return page
    return HttpResponse(text_of(page.content.decode(), game), "text/plain; charset=utf-8")


def game_or_404(slug: str) -> AnyGame:
    try:
        return catalog.find(slug)
    except KeyError:
        raise Http404(f"There is no game {slug!r} here.") from None
