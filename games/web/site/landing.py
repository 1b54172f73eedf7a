"""Landing page, quick match and rules pages."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from games.language import is_english
from games.matches.seating import opening
from games.matches.seating.seats import SeatRequest
from games.matches.selectors.results import results_against_bots
from games.outside.failing import or_else
from games.ratings.selectors import ratings_of
from games.web.front.continuing import continuing
from games.web.front.featured import featured
from games.web.front.results import records_of
from games.web.front.seeking import panel
from games.web.parts.options_form import option_fields, preset_name
from games.web.parts.rules_text import specification, text_of
from games.web.parts.visitor import once, user_id
from games.web.site import suggestions
from games.web.tables import demonstration


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
        "featured": featured(),
    }
    return render(request, "games/landing.html", context)


@never_cache
@require_GET
def featured_table(request: HttpRequest) -> HttpResponse:
    """The table on the front page if it differs from what is shown, else 204."""
    table = featured()
    if (table.tag if table else "") == request.GET.get("shown", ""):
        return HttpResponse(status=204)
    return render(request, "games/parts/featured.html", {"featured": table})


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
