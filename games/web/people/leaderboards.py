"""Leaderboards of people and the ladder of computers, as pages."""

from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardroom.rules.game import AnyGame
from config.words import sentence_of
from games.language import words
from games.ratings.boards import OPPONENTS, PACES, SIDES, TWO, Board, boards_of, rated_games
from games.ratings.people import ladder as ladders
from games.ratings.people.leaderboards import LEAST, leaderboard
from games.ratings.refusals import NoSuchLeaderboard
from games.web.parts.visitor import user_id
from games.web.site.landing import game_or_404

SHOWN: Final = 25
CHOICES: Final = {"pace": PACES, "sides": SIDES, "opponents": OPPONENTS}


@require_safe
def first_leaderboard(_request: HttpRequest) -> HttpResponse:
    return redirect("leaderboard", rated_games()[0].slug)


@require_safe
@never_cache
def people(request: HttpRequest, slug: str) -> HttpResponse:
    game, reader = game_or_404(slug), user_id(request)
    board = _board(request, game)
    friends = "friends" in request.GET and reader is not None
    context = {
        "game": game,
        "games": rated_games(),
        "board": board,
        "choices": [_choice(board, name) for name in _open_choices(board)],
        "friends": friends,
        "least": LEAST,
        "query": _query(board, friends=friends),
    }
    try:
        shown = leaderboard(
            board,
            viewer=reader,
            friends=friends,
            after=request.GET.get("after", ""),
            limit=SHOWN,
        )
    except NoSuchLeaderboard as refused:
        if not game.is_luck:
            raise Http404(sentence_of(refused)) from None
        return render(request, "games/people/leaderboard.html", {**context, "choices": []})
    context["shown"] = shown
    context["own_is_shown"] = shown.own in shown.lines
    return render(request, "games/people/leaderboard.html", context)


@require_safe
@never_cache
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    game = game_or_404(slug)
    rungs = ladders.ladder(game, user_id(request))
    context = {
        "game": game,
        "rungs": list(reversed(rungs)),
        "is_finished": ladders.is_finished(rungs),
        "games": rated_games(),
    }
    return render(request, "games/people/ladder.html", context)


def _board(request: HttpRequest, game: AnyGame) -> Board:
    """The one that the address names; what it names wrongly is as it is usual.

    Mirrored matches have two sides, whatever is chosen beside it.
    """
    sent = {name: request.GET.get(name, "") for name in CHOICES}
    known = {name: value for name, value in sent.items() if value in CHOICES[name]}
    board = Board(game.slug, **known)
    return board if board in boards_of(game) else replace(board, sides=TWO)


def _open_choices(board: Board) -> list[str]:
    """A game of two has no boards for more sides."""
    more = {one.sides for one in boards_of(game_or_404(board.game))}
    return [name for name in CHOICES if name != "sides" or len(more) > 1]


def _choice(board: Board, name: str) -> dict[str, Any]:
    chosen = getattr(board, name)
    return {
        "name": name,
        "values": [
            {"value": value, "label": words(label), "is_chosen": value == chosen}
            for value, label in CHOICES[name].items()
        ],
    }


def _query(board: Board, *, friends: bool) -> str:
    chosen = {name: getattr(board, name) for name in CHOICES}
    return urlencode(chosen | ({"friends": "on"} if friends else {}))
