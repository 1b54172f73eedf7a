"""Leaderboards, ladders of computers, leagues and the bots of people, as pages."""

from dataclasses import replace
from datetime import date
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.signing_in import signed_in
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from config.postgres.replicas import a_second_old
from config.refusals import NotFound, Refusal
from config.telemetry import requests
from config.words import sentence_of
from games.absent import rules_of
from games.bot_accounts import services
from games.bot_accounts.models import Program
from games.language import words
from games.leagues import divisions, selectors
from games.leagues.rules import FULL, MATCHES, MEETINGS
from games.leagues.selectors import NoSuchLeague
from games.ratings import people as ladders
from games.ratings import scale
from games.ratings.models import PersonRating
from games.ratings.people import LEAST, NoSuchLeaderboard, leaderboard
from games.web.landing import game_or_404
from games.web.parts.visitor import user_id

PEOPLE_PER_PAGE: Final = 25
CHOICES: Final = {"pace": scale.PACES, "sides": scale.SIDES, "opponents": scale.OPPONENTS}


@require_safe
def first_leaderboard(_request: HttpRequest) -> HttpResponse:
    return redirect("leaderboard", scale.rated_games()[0].slug)


@a_second_old
@require_safe
@never_cache
def people(request: HttpRequest, slug: str) -> HttpResponse:
    game, reader = game_or_404(slug), user_id(request)
    board = _board(request, game)
    friends = "friends" in request.GET and reader is not None
    context = {
        "game": game,
        "games": scale.rated_games(),
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
            limit=PEOPLE_PER_PAGE,
        )
    except NoSuchLeaderboard as refused:
        if not game.is_luck:
            raise Http404(sentence_of(refused)) from None
        return render(request, "games/people/leaderboard.html", {**context, "choices": []})
    context["shown"] = shown
    context["own_is_shown"] = shown.own in shown.lines
    return render(request, "games/people/leaderboard.html", context)


@a_second_old
@require_safe
@never_cache
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    game = game_or_404(slug)
    rungs = ladders.ladder(game, user_id(request))
    context = {
        "game": game,
        "rungs": list(reversed(rungs)),
        "is_finished": ladders.is_finished(rungs),
        "games": scale.rated_games(),
    }
    return render(request, "games/people/ladder.html", context)


def _board(request: HttpRequest, game: AnyGame) -> scale.Board:
    """The one that the address names; what it names wrongly is as it is usual.

    Mirrored matches have two sides, whatever is chosen beside it.
    """
    sent = {name: request.GET.get(name, "") for name in CHOICES}
    known = {name: value for name, value in sent.items() if value in CHOICES[name]}
    board = scale.Board(game.slug, **known)
    return board if board in scale.boards_of(game) else replace(board, sides=scale.TWO)


def _open_choices(board: scale.Board) -> list[str]:
    """A game of two has no boards for more sides."""
    more = {one.sides for one in scale.boards_of(game_or_404(board.game))}
    return [name for name in CHOICES if name != "sides" or len(more) > 1]


def _choice(board: scale.Board, name: str) -> dict[str, Any]:
    chosen = getattr(board, name)
    return {
        "name": name,
        "values": [
            {"value": value, "label": words(label), "is_chosen": value == chosen}
            for value, label in CHOICES[name].items()
        ],
    }


def _query(board: scale.Board, *, friends: bool) -> str:
    chosen = {name: getattr(board, name) for name in CHOICES}
    return urlencode(chosen | ({"friends": "on"} if friends else {}))


# The list of leagues, a division of one, and the forms to join and to leave it.


@a_second_old
@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    rows = [(catalog.find(one.game), one) for one in selectors.summaries(user_id(request))]
    return render(request, "games/leagues/index.html", {"leagues": rows, **_rules()})


@a_second_old
@require_safe
@never_cache
def league(request: HttpRequest, slug: str) -> HttpResponse:
    reader = user_id(request)
    try:
        sheet = _sheet(request, slug)
    except NoSuchLeague as refused:
        raise Http404(sentence_of(refused)) from None
    before, after = selectors.neighbours(sheet)
    context = {
        "game": catalog.find(slug),
        "sheet": sheet,
        "before": before,
        "after": after,
        "is_member": selectors.is_member(reader, slug),
        "may_join": isinstance(request.user, User) and not request.user.is_guest,
        "weeks": selectors.own_weeks(reader, slug) if reader else [],
        **_rules(),
    }
    return render(request, "games/leagues/league.html", context)


@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    if not isinstance(request.user, User):
        return redirect("account_login")
    divisions.join(user=request.user, game=slug)
    return redirect("league", slug)


@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    if not isinstance(request.user, User):
        return redirect("account_login")
    divisions.leave(user=request.user, game=slug)
    return redirect("league", slug)


def _sheet(request: HttpRequest, slug: str) -> selectors.Sheet:
    """A choice that the address names wrongly is not there."""
    sent = {name: request.GET.get(name, "") for name in ("week", "tier", "division")}
    try:
        monday = date.fromisoformat(sent["week"]) if sent["week"] else None
        tier, number = (int(sent[name]) if sent[name] else None for name in ("tier", "division"))
    except ValueError:
        raise NoSuchLeague from None
    return selectors.sheet_of(
        slug, reader=user_id(request), monday=monday, tier=tier, number=number
    )


def _rules() -> dict[str, Any]:
    return {"full": FULL, "meetings": MEETINGS, "most": MATCHES}


# The page of bot accounts: who is there, what they play, and what an owner has to answer.


class BotLine(NamedTuple):
    listed: services.Listed
    plays: list[str]
    paces: list[str]
    ratings: list[tuple[str, int]]


@require_safe
@never_cache
def bots(request: HttpRequest) -> HttpResponse:
    rows = services.bot_accounts(user_id(request))
    requests_made: list[Program] = []
    if isinstance(request.user, User):
        mine = services.programs_of(request.user)
        requests_made = [one.program for one in mine if one.program.confirmed_at is None]
    return render(request, "games/bots.html", {"bots": _lines(rows), "asked": requests_made})


def _lines(rows: list[services.Listed]) -> list[BotLine]:
    strengths = _ratings([one.program.account_id for one in rows])
    return [
        BotLine(
            one,
            [words(rules_of(each["game"], 1).name) for each in one.program.plays],
            [words(scale.PACES[pace]) for pace in one.program.paces if pace in scale.PACES],
            strengths.get(one.program.account_id, []),
        )
        for one in rows
    ]


def _ratings(accounts: list[Any]) -> dict[Any, list[tuple[str, int]]]:
    """The best of each game on the boards of computers."""
    rows = PersonRating.objects.filter(account__in=accounts, board__endswith=f"/{scale.COMPUTERS}")
    best: dict[Any, dict[str, int]] = {}
    for row in rows.order_by("mean"):
        best.setdefault(row.account_id, {})[row.board.split("/")[0]] = round(scale.rating(row.mean))
    return {
        account: [(words(rules_of(slug, 1).name), value) for slug, value in sorted(games.items())]
        for account, games in best.items()
    }


@require_POST
@login_required
def answer_bot(request: HttpRequest, username: str) -> HttpResponse:
    """The owner confirms that the program is theirs, or says that it is not."""
    owner = signed_in(request)
    try:
        if request.POST.get("answer") == "confirm":
            row = services.confirm_bot(owner=owner, username=username)
            name = row.account.display_name
            messages.success(request, gettext("You answer for {name} now.").format(name=name))
        elif request.POST.get("answer") == "refuse":
            services.refuse_bot(owner=owner, username=username)
            messages.success(request, gettext("Refused."))
    except NotFound:
        raise
    except Refusal as refused:
        requests.refused(refused)
        messages.error(request, sentence_of(refused))
    return redirect("bots")
