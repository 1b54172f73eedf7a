"""The lobby: what waits for the reader, whom they can play with, what they can watch."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from cardroom.rules import catalog
from config.postgres.literals import literal
from games.house_names import HIDDEN
from games.lobby.finding.filters import TableFilter, remember, remembered
from games.lobby.finding.here import people_lately
from games.matches.models import Match, Seat
from games.matches.selectors.lists import find_matches, invitations_of, without_blocked
from games.matches.selectors.newest import open_with
from games.matches.selectors.watched import as_listed
from games.web.front import tables
from games.web.front.challenges import ChallengeLine, waiting_challenges
from games.web.front.results import ResultFilter, records_of, result_lines
from games.web.front.seeking import panel
from games.web.parts.match_list import MatchListing, listing_of
from games.web.parts.visitor import user_id

SHOWN: Final = 30
COOKIE: Final = "lobby"
PACES: Final = [
    ("", _("any pace")),
    ("live", _("at one sitting")),
    ("slow", _("days a move")),
    ("none", _("no limit")),
]
RATED: Final = [("", _("rated or not")), ("yes", _("rated")), ("no", _("not rated"))]


@dataclass(frozen=True)
class Own:
    """The reader's matches: ``your_turn`` counts all, the lists have the newest."""

    user: UUID

    @cached_property
    def _unfinished(self) -> dict[UUID, bool]:
        return tables.unfinished_of(self.user)

    @cached_property
    def _to_act(self) -> list[UUID]:
        return [match for match, waits in self._unfinished.items() if waits]

    @property
    def your_turn(self) -> int:
        return len(self._to_act)

    @cached_property
    def waiting(self) -> list[MatchListing]:
        return self._listings(self._to_act[:SHOWN])

    @cached_property
    def others(self) -> list[MatchListing]:
        own = {*self._unfinished, *tables.opened_by(self.user)}.difference(self._to_act)
        return self._listings(sorted(own, reverse=True)[:SHOWN])

    def _listings(self, ids: list[UUID]) -> list[MatchListing]:
        rows = Match.objects.defer("state", "loaded").prefetch_related("seats")
        matches = rows.filter(id__in=ids).order_by("-id")
        return [listing_of(match, self.user) for match in matches]


@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    user, wanted = user_id(request), _filter(request)
    running = as_listed(_running(user, wanted), user, gettext(HIDDEN))
    results = ResultFilter.of(request.GET, is_somebody=user is not None)
    invited = invitations_of(user).filter(answer_by=None)[:SHOWN] if user is not None else []
    context = {
        "own": Own(user) if user else None,
        "invitations": [listing_of(match, user) for match in invited],
        "challenges": _challenges(request),
        "tables": tables.open_tables(_free(user, wanted), user),
        "running": tables.watched_tables(running, user),
        "somebody": panel(user),
        "people": people_lately(),
        **_filter_context(wanted),
        "chosen": results,
        "games": catalog.GAMES,
        "results": result_lines(user, mine=results.mine, game=results.game),
        "records": records_of(user),
    }
    return render(request, "games/lobby.html", context)


def _challenges(request: HttpRequest) -> list[ChallengeLine]:
    if not isinstance(request.user, User):
        return []
    return waiting_challenges(request.user.pk, request.user.username)


def _free(user: UUID | None, wanted: TableFilter) -> Any:
    free = find_matches(user=user, joinable=True)
    if user is not None:
        invited = Seat.objects.filter(invited=user, match=OuterRef("pk"))
        free = free.exclude(id__in=open_with(user)).filter(~Exists(invited))
    return wanted.applied(free)


def _running(user: UUID | None, wanted: TableFilter) -> list[Match]:
    running = Match.objects.defer("state", "loaded").prefetch_related("seats").order_by("-id")
    public = running.filter(
        status=literal(Match.Status.ACTIVE), visibility=literal(Match.Visibility.PUBLIC)
    )
    if user is not None:
        public = without_blocked(public, user)
    return list(wanted.applied(public)[:SHOWN])


def _filter_context(wanted: TableFilter) -> dict[str, Any]:
    return {"wanted": wanted, "filter_paces": PACES, "filter_rated": RATED}


@require_POST
def choose_tables(request: HttpRequest) -> HttpResponse:
    """Remembers which tables the reader looks for: an account's, else this browser's."""
    wanted, response = TableFilter.of(request.POST.dict()), redirect("lobby")
    if isinstance(request.user, User) and not request.user.is_guest:
        remember(request.user.pk, wanted)
        return response
    response.set_cookie(
        COOKIE,
        wanted.text,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _filter(request: HttpRequest) -> TableFilter:
    if isinstance(request.user, User) and not request.user.is_guest:
        return remembered(request.user.pk)
    return TableFilter.read(request.COOKIES.get(COOKIE, ""))
