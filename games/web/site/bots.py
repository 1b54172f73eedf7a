"""The page of bot accounts: who is there, what they play, and what an owner has to answer."""

from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.signing_in.signed_in import signed_in
from config.refusals import NotFound, Refusal
from config.telemetry import requests
from config.words import sentence_of
from games.absent import rules_of
from games.bot_accounts import becoming, selectors
from games.bot_accounts.models import Program
from games.language import words
from games.ratings.boards import COMPUTERS, PACES
from games.ratings.models import PersonRating
from games.ratings.scale import rating
from games.web.parts.visitor import user_id


class BotLine(NamedTuple):
    listed: selectors.Listed
    plays: list[str]
    paces: list[str]
    ratings: list[tuple[str, int]]


@require_safe
@never_cache
def bots(request: HttpRequest) -> HttpResponse:
    rows = selectors.bot_accounts(user_id(request))
    requests_made: list[Program] = []
    if isinstance(request.user, User):
        mine = selectors.programs_of(request.user)
        requests_made = [one.program for one in mine if one.program.confirmed_at is None]
    return render(request, "games/bots.html", {"bots": _lines(rows), "asked": requests_made})


def _lines(rows: list[selectors.Listed]) -> list[BotLine]:
    strengths = _ratings([one.program.account_id for one in rows])
    return [
        BotLine(
            one,
            [words(rules_of(each["game"], 1).name) for each in one.program.plays],
            [words(PACES[pace]) for pace in one.program.paces if pace in PACES],
            strengths.get(one.program.account_id, []),
        )
        for one in rows
    ]


def _ratings(accounts: list[Any]) -> dict[Any, list[tuple[str, int]]]:
    """The best of each game on the boards of computers."""
    rows = PersonRating.objects.filter(account__in=accounts, board__endswith=f"/{COMPUTERS}")
    best: dict[Any, dict[str, int]] = {}
    for row in rows.order_by("mean"):
        best.setdefault(row.account_id, {})[row.board.split("/")[0]] = round(rating(row.mean))
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
            row = becoming.confirm(owner=owner, username=username)
            name = row.account.display_name
            messages.success(request, gettext("You answer for {name} now.").format(name=name))
        elif request.POST.get("answer") == "refuse":
            becoming.refuse(owner=owner, username=username)
            messages.success(request, gettext("Refused."))
    except NotFound:
        raise
    except Refusal as refused:
        requests.refused(refused)
        messages.error(request, sentence_of(refused))
    return redirect("bots")
